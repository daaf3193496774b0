#include "simulation/faulty_gate.hpp"

namespace sluice::simulation {
namespace {

constexpr std::int64_t kGateLost = 12;  // one in so many
constexpr std::int64_t kGateDoubled = 12;

std::string short_names(const std::vector<StockGate::ClaimName>& claims) {
    std::string names;
    for (const auto& claim : claims) names += " " + short_name(claim.ticket);
    return names;
}

}  // namespace

Task<StockGate::Claimed> FaultyGate::claim(Ticket ticket, std::int64_t limit) {
    const auto name = " " + short_name(ticket.id);
    co_await schedule_.pause("claim arrives" + name);
    if (schedule_.strikes(kGateLost)) {
        co_await schedule_.pause("claim was lost" + name);
        co_return Claimed{};
    }
    const auto claimed = co_await gate_.claim(ticket, limit);
    if (schedule_.strikes(kGateDoubled)) schedule_.start(claim_again(ticket, limit));
    co_await schedule_.pause("claim answers" + name);
    if (schedule_.strikes(kGateLost)) co_return Claimed{};
    co_return claimed;
}

Task<std::vector<TicketId>> FaultyGate::hand_off(std::vector<ClaimName> claims) {
    const auto names = short_names(claims);
    co_await schedule_.pause("hand_off arrives" + names);
    auto marked = co_await gate_.hand_off(std::move(claims));
    co_await schedule_.pause("hand_off answers" + names);
    co_return marked;
}

Task<std::vector<Ticket>> FaultyGate::condemn(Timestamp claimed_before) {
    co_await schedule_.pause("condemn arrives");
    auto condemned = co_await gate_.condemn(claimed_before);
    co_await schedule_.pause("condemn answers");
    co_return condemned;
}

Task<std::vector<TicketId>> FaultyGate::settle(std::vector<ClaimName> claims) {
    const auto names = short_names(claims);
    co_await schedule_.pause("settle arrives" + names);
    // The caller cannot know whether it gets the answer of the first one or of the second one.
    if (schedule_.strikes(kGateDoubled)) co_await gate_.settle(claims);
    auto missed = co_await gate_.settle(claims);
    if (schedule_.strikes(kGateDoubled)) schedule_.start(settle_again(claims));
    co_await schedule_.pause("settle answers" + names);
    co_return missed;
}

Task<Done> FaultyGate::release(std::vector<ClaimName> claims) {
    const auto names = short_names(claims);
    co_await schedule_.pause("release arrives" + names);
    co_await gate_.release(claims);
    if (schedule_.strikes(kGateDoubled)) schedule_.start(release_again(claims));
    co_await schedule_.pause("release answers" + names);
    co_return Done{};
}

Task<std::optional<std::int64_t>> FaultyGate::apply(SaleId sale, std::int64_t epoch,
                                                    std::vector<HotChange> rows) {
    co_await schedule_.pause("apply arrives");
    const auto applied = co_await gate_.apply(sale, epoch, rows);
    if (schedule_.strikes(kGateDoubled)) schedule_.start(apply_again(sale, epoch, rows));
    co_await schedule_.pause("apply answers");
    co_return applied;
}

Task<bool> FaultyGate::begin_fill(Filling filling, std::int64_t left, std::int64_t applied) {
    co_await schedule_.pause("copy arrives");
    const bool begun = co_await gate_.begin_fill(std::move(filling), left, applied);
    co_return begun;
}

Task<bool> FaultyGate::fill(Filling filling, Holdings chunk) {
    co_await schedule_.pause("chunk arrives");
    const bool filled = co_await gate_.fill(std::move(filling), std::move(chunk));
    co_return filled;
}

Task<bool> FaultyGate::open_epoch(Filling filling) {
    co_await schedule_.pause("copy opens");
    const bool opened = co_await gate_.open_epoch(std::move(filling));
    co_await schedule_.pause("copy answers");
    co_return opened;
}

Task<> FaultyGate::claim_again(Ticket ticket, std::int64_t limit) {
    const auto name = " " + short_name(ticket.id);
    co_await schedule_.pause("claim arrives again" + name);
    co_await gate_.claim(std::move(ticket), limit);
}

Task<> FaultyGate::settle_again(std::vector<ClaimName> claims) {
    const auto names = short_names(claims);
    co_await schedule_.pause("settle arrives again" + names);
    co_await gate_.settle(std::move(claims));
}

Task<> FaultyGate::release_again(std::vector<ClaimName> claims) {
    const auto names = short_names(claims);
    co_await schedule_.pause("release arrives again" + names);
    co_await gate_.release(std::move(claims));
}

Task<> FaultyGate::apply_again(SaleId sale, std::int64_t epoch, std::vector<HotChange> rows) {
    co_await schedule_.pause("apply arrives again");
    co_await gate_.apply(sale, epoch, std::move(rows));
}

}  // namespace sluice::simulation
