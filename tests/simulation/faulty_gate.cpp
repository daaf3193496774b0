#include "simulation/faulty_gate.hpp"

namespace sluice::simulation {
namespace {

constexpr std::int64_t kLost = 12;  // one in so many
constexpr std::int64_t kDoubled = 12;

}  // namespace

Task<StockGate::Claimed> FaultyGate::claim(Ticket ticket, std::int64_t limit) {
    const auto name = " " + short_name(ticket.id);
    co_await schedule_.pause("claim arrives" + name);
    if (schedule_.strikes(kLost)) {
        co_await schedule_.pause("claim was lost" + name);
        co_return Claimed{};
    }
    const auto claimed = co_await gate_.claim(ticket, limit);
    if (schedule_.strikes(kDoubled)) schedule_.start(claim_again(ticket, limit));
    co_await schedule_.pause("claim answers" + name);
    if (schedule_.strikes(kLost)) co_return Claimed{};
    co_return claimed;
}

Task<std::vector<TicketId>> FaultyGate::hand_off(std::vector<TicketId> tickets) {
    const auto names = short_names(tickets);
    co_await schedule_.pause("hand_off arrives" + names);
    auto marked = co_await gate_.hand_off(std::move(tickets));
    co_await schedule_.pause("hand_off answers" + names);
    co_return marked;
}

Task<std::vector<Ticket>> FaultyGate::condemn(Timestamp claimed_before) {
    co_await schedule_.pause("condemn arrives");
    auto condemned = co_await gate_.condemn(claimed_before);
    co_await schedule_.pause("condemn answers");
    co_return condemned;
}

Task<std::vector<TicketId>> FaultyGate::settle(std::vector<TicketId> tickets) {
    const auto names = short_names(tickets);
    co_await schedule_.pause("settle arrives" + names);
    // Whose answer the caller gets, the first one's or the second one's, is not for them to know.
    if (schedule_.strikes(kDoubled)) co_await gate_.settle(tickets);
    auto missed = co_await gate_.settle(tickets);
    if (schedule_.strikes(kDoubled)) schedule_.start(settle_again(tickets));
    co_await schedule_.pause("settle answers" + names);
    co_return missed;
}

Task<Done> FaultyGate::release(std::vector<TicketId> tickets, Ground ground) {
    const auto names = short_names(tickets);
    co_await schedule_.pause("release arrives" + names);
    co_await gate_.release(tickets, ground);
    if (schedule_.strikes(kDoubled)) schedule_.start(release_again(tickets, ground));
    co_await schedule_.pause("release answers" + names);
    co_return Done{};
}

Task<Done> FaultyGate::apply(std::vector<Move> moves) {
    co_await schedule_.pause("apply arrives");
    co_await gate_.apply(std::move(moves));
    co_await schedule_.pause("apply answers");
    co_return Done{};
}

Task<> FaultyGate::claim_again(Ticket ticket, std::int64_t limit) {
    const auto name = " " + short_name(ticket.id);
    co_await schedule_.pause("claim arrives again" + name);
    co_await gate_.claim(std::move(ticket), limit);
}

Task<> FaultyGate::settle_again(std::vector<TicketId> tickets) {
    const auto names = short_names(tickets);
    co_await schedule_.pause("settle arrives again" + names);
    co_await gate_.settle(std::move(tickets));
}

Task<> FaultyGate::release_again(std::vector<TicketId> tickets, Ground ground) {
    const auto names = short_names(tickets);
    co_await schedule_.pause("release arrives again" + names);
    co_await gate_.release(std::move(tickets), ground);
}

}  // namespace sluice::simulation
