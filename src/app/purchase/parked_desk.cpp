#include "app/purchase/parked_desk.hpp"

#include <utility>

#include "base/check.hpp"
#include "domain/deed_details.hpp"

namespace sluice {
namespace {

bool is_final(const TicketRecord& record) {
    return record.state != TicketState::prepared;
}

ParkedDesk::Decided as_refused(ParkedDesk::Decided decided) {
    if (decided && decided->state == TicketState::committed)
        return std::unexpected(ParkedDesk::No::is_ordered);
    return decided;
}

}  // namespace

Task<ParkedDesk::Decided> ParkedDesk::retry(TicketId id, Actor actor) {
    const auto parked = co_await parked_.find(id);
    if (!parked) {
        auto decided = co_await find_decided(id);
        co_return decided;
    }
    std::vector batch{parked->ticket};
    const auto written = co_await tickets_.write(std::move(batch));
    CHECK(written.size() == 1, "every ticket has its outcome");
    const auto& outcome = written.front();
    if (!outcome) {
        auto ticket = parked->ticket;
        auto stays = co_await stay_parked(std::move(ticket), outcome.error());
        co_return stays;
    }
    co_await settler_.conclude(parked->ticket, *outcome);
    std::optional deed = make_deed_of(actor, *parked, "parked_ticket.retry", outcome->record.state);
    co_await parked_.unpark(id, std::move(deed));
    co_return outcome->record;
}

Task<ParkedDesk::Decided> ParkedDesk::refuse(TicketId id, Actor actor) {
    const auto parked = co_await parked_.find(id);
    if (!parked) {
        auto decided = co_await find_decided(id);
        co_return as_refused(std::move(decided));
    }
    auto ticket = parked->ticket;
    auto deed = make_deed_of(actor, *parked, "parked_ticket.refuse", TicketState::rolled_back);
    const auto outcome = co_await tickets_.refuse(std::move(ticket), std::move(deed));
    if (!outcome) {
        auto again = parked->ticket;
        auto stays = co_await stay_parked(std::move(again), outcome.error());
        co_return as_refused(std::move(stays));
    }
    co_await settler_.conclude(parked->ticket, *outcome);
    co_return as_refused(outcome->record);
}

/// A ticket that was parked, as the journal has it now.
Task<ParkedDesk::Decided> ParkedDesk::find_decided(TicketId id) {
    const auto former = co_await parked_.find_former(id);
    if (!former) co_return std::unexpected(No::never_parked);
    const auto record = co_await orders_.ticket(id, former->buyer);
    if (!record) co_return std::unexpected(No::never_parked);
    co_return *record;
}

/// Unless the journal has its outcome: then only other rows of it do not fit together, which
/// concerns the audit and not the buyer.
Task<ParkedDesk::Decided> ParkedDesk::stay_parked(Ticket ticket, std::string reason) {
    const auto record = co_await orders_.ticket(ticket.id, ticket.buyer);
    if (record && is_final(*record)) {
        co_await parked_.unpark(ticket.id, std::nullopt);
        co_return *record;
    }
    std::vector<ParkedTicket> again;
    again.push_back({.ticket = std::move(ticket),
                     .reason = std::move(reason),
                     .parked_at = clock_.now(),
                     .tries = 1});
    co_await parked_.park(std::move(again));
    co_return std::unexpected(No::not_written);
}

Deed ParkedDesk::make_deed_of(const Actor& actor, const ParkedTicket& parked, const char* action,
                              TicketState state) {
    const auto now = clock_.now();
    const auto& ticket = parked.ticket;
    const ParkedNote before{.buyer = ticket.buyer,
                            .quantity = ticket.quantity,
                            .reason = parked.reason,
                            .tries = parked.tries};
    return make_deed(actor, DeedId{ids_.next(now)}, now, action, ticket.id.text(),
                     deed_details(before), deed_details(state));
}

}  // namespace sluice
