#include "adapters/sqlite/ledgers/journal.hpp"

#include <algorithm>
#include <array>

#include "adapters/sqlite/engine/statements.hpp"
#include "base/check.hpp"

namespace sluice::sqlite {
namespace {

struct Name {
    Reason reason;
    std::string_view text;
};
constexpr std::array<Name, 7> kReasons{{
    {Reason::not_found, "not_found"},
    {Reason::ended, "ended"},
    {Reason::paused, "paused"},
    {Reason::not_started, "not_started"},
    {Reason::sold_out, "sold_out"},
    {Reason::limit_reached, "limit_reached"},
    {Reason::busy, "busy"},
}};

Reason parse_reason(std::string_view text) {
    const auto at = std::ranges::find(kReasons, text, &Name::text);
    CHECK(at != kReasons.end(), "the schema allows only known reasons");
    return at->reason;
}

TicketRecord read_record(const Statement& row) {
    TicketRecord record{.id = {row.column<SaleId>(0), row.column<Mark>(1)},
                        .state = static_cast<TicketState>(row.column<std::int64_t>(2)),
                        .quantity = row.column<std::int64_t>(3),
                        .order = row.column<std::optional<OrderId>>(4),
                        .reason = std::nullopt,
                        .pass = row.column<Mark>(6),
                        .key = row.column<std::optional<Mark>>(7),
                        .claimed_at = row.column<Timestamp>(8)};
    if (const auto reason = row.column<std::optional<std::string>>(5))
        record.reason = parse_reason(*reason);
    return record;
}

}  // namespace

std::optional<TicketRecord> find_ticket(Database& database, TicketId id, UserId buyer) {
    auto row = database.query(sql::find_ticket, buyer, id.sale, id.mark);
    if (!row.step()) return std::nullopt;
    return read_record(row);
}

std::optional<TicketRecord> find_latest_ticket(Database& database, SaleId sale, UserId buyer) {
    auto row = database.query(sql::find_latest_ticket, buyer, sale);
    if (!row.step()) return std::nullopt;
    return read_record(row);
}

std::vector<TicketRecord> list_wish(Database& database, const Ticket& ticket) {
    std::vector<TicketRecord> records;
    auto rows = database.query(sql::list_wish, ticket.buyer, ticket.id.sale, ticket.id.mark,
                               ticket.pass, ticket.key);
    while (rows.step()) {
        auto record = read_record(rows);
        const bool same_key = ticket.key && record.key == ticket.key;
        if (record.id == ticket.id || record.pass == ticket.pass || same_key)
            records.push_back(std::move(record));
    }
    return records;
}

std::optional<TicketRecord> find_wish(Database& database, const Ticket& ticket) {
    const auto past = list_wish(database, ticket);
    if (const auto* found = find_same_wish(past, ticket)) return *found;
    const auto own = std::ranges::find(past, ticket.id, &TicketRecord::id);
    if (own == past.end()) return std::nullopt;
    return *own;
}

void supersede(Database& database, const Ticket& added) {
    const auto sale = added.id.sale;
    const auto former = find_latest_ticket(database, sale, added.buyer);
    if (former && former->claimed_at > added.claimed_at) {
        database.run(sql::supersede_ticket, added.buyer, sale, added.id.mark);
        return;
    }
    database.run(sql::replace_latest, sale, added.buyer, added.id.mark);
    if (former) database.run(sql::supersede_ticket, added.buyer, sale, former->id.mark);
}

TicketRecord prepare(const Ticket& ticket) {
    return {.id = ticket.id,
            .state = TicketState::prepared,
            .quantity = ticket.quantity,
            .order = std::nullopt,
            .reason = std::nullopt,
            .pass = ticket.pass,
            .key = ticket.key,
            .claimed_at = ticket.claimed_at};
}

std::string_view journal_text(Reason reason) {
    const auto at = std::ranges::find(kReasons, reason, &Name::reason);
    CHECK(at != kReasons.end(), "the journal has a name for every reason a ticket can have");
    return at->text;
}

}  // namespace sluice::sqlite
