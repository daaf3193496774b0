#include "adapters/sqlite/journal.hpp"

#include <algorithm>
#include <array>

#include "adapters/sqlite/statements.hpp"
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

std::vector<TicketRecord> list_tickets(Database& database, SaleId sale, UserId buyer) {
    std::vector<TicketRecord> records;
    auto rows = database.query(sql::list_tickets, buyer, sale);
    while (rows.step()) records.push_back(read_record(rows));
    return records;
}

std::optional<TicketRecord> find_wish(Database& database, const Ticket& ticket) {
    const auto past = list_tickets(database, ticket.id.sale, ticket.buyer);
    if (const auto* found = find_same_wish(past, ticket)) return *found;
    const auto own = std::ranges::find(past, ticket.id, &TicketRecord::id);
    if (own == past.end()) return std::nullopt;
    return *own;
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
