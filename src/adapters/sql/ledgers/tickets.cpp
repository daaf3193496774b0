#include "adapters/sql/ledgers/tickets.hpp"

#include "adapters/sql/ledgers/journal.hpp"
#include "adapters/sql/part.hpp"
#include "base/check.hpp"
#include "base/reason_of.hpp"
#include "ports/taken.hpp"

namespace sluice::ledgers {
namespace {

OrderIntake::Taken prepare_ticket(Database& database, const Ticket& ticket) {
    const bool added = add_where_absent(database, ticket, sluice::prepare(ticket));
    auto own = find_ticket(database, ticket.id, ticket.buyer);
    auto answer = find_answer(database, ticket.id, ticket.buyer);
    CHECK(own && answer, "it was added, or there before");
    return as_taken(std::move(*own), std::move(*answer), added);
}

std::vector<TicketLedger::Written> prepare_tickets(Database& database,
                                                   const std::vector<Ticket>& tickets) {
    std::vector<TicketLedger::Written> prepared;
    prepared.reserve(tickets.size());
    for (const auto& ticket : tickets) {
        OrderIntake::Taken taken;
        if (const auto failure =
                run_part(database, [&] { taken = prepare_ticket(database, ticket); }))
            prepared.push_back(std::unexpected(reason_of(failure)));
        else
            prepared.push_back(std::move(taken));
    }
    return prepared;
}

}  // namespace

Task<std::vector<TicketLedger::Written>> Tickets::write(std::vector<Ticket> tickets) {
    // A variable, since GCC 12 moves temporaries of an awaited call byte by byte.
    auto work = [this, tickets = std::move(tickets)](Database& database) {
        std::vector<const Ticket*> pointers;
        pointers.reserve(tickets.size());
        for (const auto& ticket : tickets) pointers.push_back(&ticket);
        return desk_.write(database, pointers);
    };
    const auto written = co_await writer_.write<WrittenTickets>(std::move(work));
    if (written.first_due) on_hold_(*written.first_due);
    std::vector<Written> outcomes;
    outcomes.reserve(written.outcomes.size());
    for (const auto& outcome : written.outcomes) {
        if (outcome)
            outcomes.push_back(*outcome);
        else
            outcomes.push_back(std::unexpected(reason_of(outcome.error())));
    }
    co_return outcomes;
}

Task<std::vector<TicketLedger::Written>> Tickets::prepare(std::vector<Ticket> tickets) {
    return writer_.write<std::vector<Written>>([tickets = std::move(tickets)](Database& database) {
        return prepare_tickets(database, tickets);
    });
}

Task<std::vector<Ticket>> Tickets::prepared(std::size_t most) {
    return readers_.read<std::vector<Ticket>>(
        [most](Database& database) { return list_prepared(database, most); });
}

}  // namespace sluice::ledgers
