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
                        .same_as = std::nullopt,
                        .pass = row.column<Mark>(6),
                        .key = row.column<std::optional<Mark>>(7),
                        .claimed_at = row.column<Timestamp>(8)};
    if (const auto reason = row.column<std::optional<std::string>>(5))
        record.reason = parse_reason(*reason);
    if (const auto mark = row.column<std::optional<Mark>>(9))
        record.same_as = TicketId{record.id.sale, *mark};
    return record;
}

/// The record itself, or under its name that of the ticket which decided the same wish.
std::optional<TicketRecord> resolve(Database& database, std::optional<TicketRecord> record,
                                    UserId buyer) {
    if (!record || !record->same_as) return record;
    auto decision = find_ticket(database, *record->same_as, buyer);
    if (decision) decision->id = record->id;
    return decision;
}

}  // namespace

std::optional<TicketRecord> find_ticket(Database& database, TicketId id, UserId buyer) {
    auto row = database.query(sql::find_ticket, buyer, id.sale, id.mark);
    if (!row.step()) return std::nullopt;
    return read_record(row);
}

std::vector<TicketRecord> find_tickets(Database& database, const std::vector<Ticket>& tickets) {
    std::vector<TicketRecord> records;
    for (const auto& ticket : tickets)
        if (auto record = find_ticket(database, ticket.id, ticket.buyer))
            records.push_back(std::move(*record));
    return records;
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

std::optional<TicketRecord> find_answer(Database& database, TicketId id, UserId buyer) {
    return resolve(database, find_ticket(database, id, buyer), buyer);
}

std::optional<TicketRecord> find_latest_answer(Database& database, SaleId sale, UserId buyer) {
    return resolve(database, find_latest_ticket(database, sale, buyer), buyer);
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

bool add_where_absent(Database& database, const Ticket& ticket, const TicketRecord& record) {
    const auto reason = record.reason ? std::optional(journal_text(*record.reason)) : std::nullopt;
    const auto added =
        database.run(sql::add_ticket, ticket.buyer, ticket.id.sale, ticket.id.mark, ticket.quantity,
                     ticket.epoch, static_cast<int>(record.state), reason, std::nullopt,
                     ticket.pass, ticket.key, ticket.claimed_at, std::nullopt);
    if (added == 0) return false;
    const auto began =
        database.run(sql::begin_holding, ticket.id.sale, ticket.buyer, 0, ticket.id.mark);
    if (began == 0) supersede(database, ticket);
    return true;
}

std::vector<Ticket> list_prepared(Database& database, std::size_t most) {
    std::vector<Ticket> tickets;
    auto rows = database.query(sql::list_prepared, most);
    while (rows.step())
        tickets.push_back({.id = {rows.column<SaleId>(0), rows.column<Mark>(1)},
                           .buyer = rows.column<UserId>(2),
                           .quantity = rows.column<std::int64_t>(3),
                           .epoch = rows.column<std::int64_t>(4),
                           .pass = rows.column<Mark>(5),
                           .key = rows.column<std::optional<Mark>>(6),
                           .claimed_at = rows.column<Timestamp>(7)});
    return tickets;
}

std::string_view journal_text(Reason reason) {
    const auto at = std::ranges::find(kReasons, reason, &Name::reason);
    CHECK(at != kReasons.end(), "the journal has a name for every reason a ticket can have");
    return at->text;
}

}  // namespace sluice::sqlite
