#include "adapters/sql/ledgers/journal.hpp"

#include <algorithm>
#include <utility>

#include "adapters/sql/order_rows.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "domain/ticket_rules.hpp"

namespace sluice::ledgers {
namespace {

/// The record itself or, with its id, the record of the ticket that decided the same wish.
std::optional<TicketRecord> resolve(Database& database, std::optional<TicketRecord> record,
                                    UserId buyer) {
    if (!record || !record->same_as) return record;
    auto decision = find_ticket(database, *record->same_as, buyer);
    if (!decision) return std::nullopt;
    return answer_by(std::move(*decision), *record);
}

/// The records that these name as their decision. A decision names no other one.
void add_decisions(Database& database, UserId buyer, std::vector<TicketRecord>& records) {
    for (std::size_t i = 0, own = records.size(); i < own; ++i) {
        const auto named = records[i].same_as;
        if (!named || std::ranges::find(records, *named, &TicketRecord::id) != records.end())
            continue;
        if (auto decision = find_ticket(database, *named, buyer))
            records.push_back(std::move(*decision));
    }
}

}  // namespace

std::optional<TicketRecord> find_ticket(Database& database, TicketId id, UserId buyer) {
    return database.row<JournalRow>(sql::find_ticket, buyer, id.sale, id.mark).transform(to_record);
}

std::vector<TicketRecord> find_tickets(Database& database, const std::vector<Ticket>& tickets) {
    std::vector<TicketRecord> records;
    for (const auto& ticket : tickets)
        if (auto record = find_ticket(database, ticket.id, ticket.buyer))
            records.push_back(std::move(*record));
    return records;
}

std::optional<TicketRecord> find_latest_ticket(Database& database, SaleId sale, UserId buyer) {
    return database.row<JournalRow>(sql::find_latest_ticket, buyer, sale).transform(to_record);
}

std::vector<TicketRecord> list_wish(Database& database, const Ticket& ticket) {
    std::vector<TicketRecord> records;
    for (const auto& row : database.rows<JournalRow>(sql::list_wish, ticket.buyer, ticket.id.sale,
                                                     ticket.id.mark, ticket.pass, ticket.key)) {
        auto record = to_record(row);
        if (may_be_same_wish(record, ticket)) records.push_back(std::move(record));
    }
    add_decisions(database, ticket.buyer, records);
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
    const auto added = database.run(sql::add_ticket, to_row(ticket, record));
    if (added == 0) return false;
    const auto began =
        database.run(sql::begin_holding, ticket.id.sale, ticket.buyer, 0, ticket.id.mark);
    if (began == 0) supersede(database, ticket);
    return true;
}

void decide_ticket(Database& database, const TicketRecord& record, UserId buyer) {
    std::optional<Mark> same_as;
    if (record.same_as) same_as = record.same_as->mark;
    database.run(sql::decide_ticket, buyer, record.id.sale, record.id.mark, record.state,
                 record.reason, record.order, same_as);
}

std::vector<Ticket> list_prepared(Database& database, std::size_t most) {
    return database.rows<JournalRow>(sql::list_prepared, most).to_vector(to_ticket);
}

}  // namespace sluice::ledgers
