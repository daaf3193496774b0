#include "adapters/sql/ledgers/tickets.hpp"

#include <exception>
#include <utility>

#include "adapters/sql/ledgers/archive.hpp"
#include "adapters/sql/ledgers/catalog.hpp"
#include "adapters/sql/ledgers/journal.hpp"
#include "adapters/sql/ledgers/parked.hpp"
#include "adapters/sql/part.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "base/check.hpp"
#include "base/reason_of.hpp"
#include "ports/taken.hpp"

namespace sluice::ledgers {
namespace {

/// Nothing when the ticket failed for another reason than that its sale is archived.
void rethrow_in_archive(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const InArchive&) {
        throw;
    } catch (...) {
        return;
    }
}

bool is_in_archive(const std::exception_ptr& failure) {
    try {
        rethrow_in_archive(failure);
    } catch (const InArchive&) {
        return true;
    }
    return false;
}

OrderIntake::Taken prepare_ticket(Database& database, const Ticket& ticket) {
    expect_in_ledger(database, ticket.id.sale);
    const bool added = add_where_absent(database, ticket, sluice::prepare(ticket));
    auto own = find_ticket(database, ticket.id, ticket.buyer);
    auto answer = find_answer(database, ticket.id, ticket.buyer);
    CHECK(own && answer, "it was added, or there before");
    return as_taken(std::move(*own), std::move(*answer), added);
}

/// As the journal has it then. Whoever writes tickets of the sale waits for us, or we for them.
TicketRecord roll_back_parked(Database& database, const Ticket& ticket, bool& fresh) {
    find_sale(database, ticket.id.sale);
    expect_in_ledger(database, ticket.id.sale);
    const auto own = find_ticket(database, ticket.id, ticket.buyer);
    if (own && own->state != TicketState::prepared) return *own;
    auto record = refusal_of(ticket);
    if (own) {
        record = *own;
        roll_back(record, Reason::conflict);
        decide_ticket(database, record, ticket.buyer);
    } else {
        CHECK(add_where_absent(database, ticket, record), "nobody has written it meanwhile");
    }
    fresh = true;
    return record;
}

OrderIntake::Taken refuse_parked(Database& database, const Ticket& ticket, const Deed& deed) {
    bool fresh = false;
    auto record = roll_back_parked(database, ticket, fresh);
    unpark(database, ticket.id, fresh ? std::optional(deed) : std::nullopt);
    auto answer = find_answer(database, ticket.id, ticket.buyer);
    CHECK(answer.has_value(), "it was added, or there before");
    return as_taken(std::move(record), std::move(*answer), fresh);
}

}  // namespace

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

Task<std::vector<TicketLedger::Written>> Tickets::write(std::vector<Ticket> tickets) {
    const auto written = co_await write_batch(tickets);
    std::vector<Written> outcomes;
    outcomes.reserve(written.outcomes.size());
    for (std::size_t i = 0; i < tickets.size(); ++i) {
        const auto& outcome = written.outcomes[i];
        if (outcome)
            outcomes.push_back(*outcome);
        else if (is_in_archive(outcome.error()))
            outcomes.push_back(co_await write_late(tickets[i]));
        else
            outcomes.push_back(std::unexpected(reason_of(outcome.error())));
    }
    co_return outcomes;
}

Task<WrittenTickets> Tickets::write_batch(std::vector<Ticket> tickets) {
    auto write = [&desk = desk_, tickets = std::move(tickets)](Database& database) {
        std::vector<const Ticket*> all;
        all.reserve(tickets.size());
        for (const auto& ticket : tickets) all.push_back(&ticket);
        return desk.write(database, all);
    };
    auto written = co_await writer_.write_locking<WrittenTickets>(std::move(write));
    if (written.first_due) on_hold_(*written.first_due);
    co_return written;
}

/// One that a broker has kept until its sale was archived: the sale comes back for it. If it
/// cannot, this ticket fails alone.
Task<TicketLedger::Written> Tickets::write_late(Ticket ticket) {
    const auto write_one = [this, ticket = std::move(ticket)]() -> Task<Written> {
        return write_alone(ticket);
    };
    std::string reason;
    try {
        co_return co_await returns_.repeat<Written>(write_one);
    } catch (const UnknownOutcome&) {
        throw;
    } catch (const Outage& away) {
        reason = away.what();
    } catch (const Overload& busy) {
        reason = busy.what();
    }
    co_return std::unexpected(std::move(reason));
}

/// Throws InArchive for a ticket of an archived sale.
Task<TicketLedger::Written> Tickets::write_alone(Ticket ticket) {
    std::vector<Ticket> alone;
    alone.push_back(std::move(ticket));
    auto written = co_await write_batch(std::move(alone));
    auto& outcome = written.outcomes.at(0);
    if (outcome) co_return std::move(*outcome);
    rethrow_in_archive(outcome.error());
    co_return std::unexpected(reason_of(outcome.error()));
}

Task<std::vector<TicketLedger::Written>> Tickets::prepare(std::vector<Ticket> tickets) {
    return writer_.write_locking<std::vector<Written>>(
        [prepare = prepare_, tickets = std::move(tickets)](Database& database) {
            return prepare(database, tickets);
        });
}

Task<std::vector<Ticket>> Tickets::prepared(std::size_t most) {
    return readers_.read<std::vector<Ticket>>(
        [most](Database& database) { return list_prepared(database, most); });
}

Task<std::int64_t> Tickets::count_prepared() {
    return readers_.read<std::int64_t>(
        [](Database& database) { return database.value<std::int64_t>(sql::count_prepared); });
}

Task<TicketLedger::Written> Tickets::refuse(Ticket ticket, Deed deed) {
    return returns_.write<Written>(
        [this, ticket = std::move(ticket), deed = std::move(deed)](Database& database) -> Written {
            OrderIntake::Taken taken;
            if (const auto failure =
                    run_part(database, [&] { taken = refuse_parked(database, ticket, deed); })) {
                rethrow_in_archive(failure);
                return std::unexpected(reason_of(failure));
            }
            if (taken.fresh && desk_.news.wants(ticket.buyer))
                desk_.news.note(BuyerNews{ticket.buyer, taken.own});
            return taken;
        });
}

}  // namespace sluice::ledgers
