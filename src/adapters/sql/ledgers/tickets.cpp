#include "adapters/sql/ledgers/tickets.hpp"

#include <exception>
#include <memory>
#include <utility>

#include "adapters/sql/job.hpp"
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

/// As the journal has it at that moment. Whoever writes tickets of the sale waits for us, or we for
/// them.
TicketRecord roll_back_parked(Database& database, const Ticket& ticket, bool& fresh) {
    find_sale(database, ticket.id.sale);
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
    take_off(database, ticket.id, fresh ? std::optional(deed) : std::nullopt);
    auto answer = find_answer(database, ticket.id, ticket.buyer);
    CHECK(answer.has_value(), "it was added, or there before");
    return as_taken(std::move(record), std::move(*answer), fresh);
}

/// Like the batches of an intake, these jobs of several nodes lock their sales, and need not wait
/// for the turn of all other work.
class Writing final : public sql::Job {
  public:
    Writing(const TicketDesk& desk, std::vector<Ticket> tickets, Completion<WrittenTickets> tell)
        : desk_(desk), tickets_(std::move(tickets)), tell_(std::move(tell)) {}

    void deliver(std::exception_ptr failure) override {
        if (!failure) failure = std::exchange(error_, nullptr);
        auto written = failure ? WrittenTickets{} : std::move(written_);
        tell_(std::move(failure), std::move(written));
    }

    bool locks_by_itself() const override { return true; }

  private:
    bool attempt(Database& database) override {
        error_ = nullptr;
        try {
            std::vector<const Ticket*> tickets;
            tickets.reserve(tickets_.size());
            for (const auto& ticket : tickets_) tickets.push_back(&ticket);
            written_ = desk_.write(database, tickets);
            return true;
        } catch (...) {
            error_ = translate_current();
            return false;
        }
    }

    const TicketDesk& desk_;
    const std::vector<Ticket> tickets_;
    Completion<WrittenTickets> tell_;
    WrittenTickets written_;
    std::exception_ptr error_;
};

}  // namespace

Task<std::vector<TicketLedger::Written>> Tickets::write(std::vector<Ticket> tickets) {
    auto start = [&](Completion<WrittenTickets> tell) {
        writer_.put(std::make_unique<Writing>(desk_, std::move(tickets), std::move(tell)));
    };
    const auto written = co_await await_completion<WrittenTickets>(std::move(start));
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

Task<std::int64_t> Tickets::count_prepared() {
    return readers_.read<std::int64_t>(
        [](Database& database) { return database.value<std::int64_t>(sql::count_prepared); });
}

Task<TicketLedger::Written> Tickets::refuse(Ticket ticket, Deed deed) {
    return writer_.write<Written>(
        [this, ticket = std::move(ticket), deed = std::move(deed)](Database& database) -> Written {
            OrderIntake::Taken taken;
            if (const auto failure =
                    run_part(database, [&] { taken = refuse_parked(database, ticket, deed); }))
                return std::unexpected(reason_of(failure));
            if (taken.fresh && desk_.news.wants(ticket.buyer))
                desk_.news.note(BuyerNews{ticket.buyer, taken.own});
            return taken;
        });
}

}  // namespace sluice::ledgers
