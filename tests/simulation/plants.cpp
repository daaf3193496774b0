#include "simulation/plants.hpp"

#include <algorithm>
#include <tuple>

namespace sluice::simulation {
namespace {

constexpr std::int64_t kSignalsLost = 4;  // one in so many
constexpr std::size_t kSets = 1 << 14;

}  // namespace

StockGate::Glance PlantedGate::glance(SaleId sale, UserId buyer) const {
    auto glance = gate_.glance(sale, buyer);
    const auto warmed = warmed_with_.find(sale);
    if (plant_ == Plant::gate_by_total && warmed != warmed_with_.end() && glance.left > 0)
        glance.left = std::max(glance.left, warmed->second);
    if (plant_ == Plant::absence_remembered) glance.changes = 0;
    return glance;
}

Task<bool> PlantedGate::is_open(TicketId ticket, UserId buyer) {
    if (plant_ == Plant::absence_remembered) co_return false;
    co_return co_await gate_.is_open(ticket, buyer);
}

Task<StockGate::Claimed> PlantedGate::claim(Ticket ticket, std::int64_t limit) {
    if (plant_ == Plant::release_twice) {
        claims_[ticket.id] = ticket;
        released_.erase(ticket.id);
    }
    return gate_.claim(std::move(ticket), limit);
}

Task<std::vector<TicketId>> PlantedGate::hand_off(std::vector<ClaimName> claims) {
    return gate_.hand_off(std::move(claims));
}

Task<std::vector<Ticket>> PlantedGate::condemn(Timestamp claimed_before) {
    return gate_.condemn(claimed_before);
}

Task<std::vector<TicketId>> PlantedGate::settle(std::vector<ClaimName> claims) {
    return gate_.settle(std::move(claims));
}

Task<Done> PlantedGate::release(std::vector<ClaimName> claims, Ground ground) {
    if (plant_ == Plant::settle_for_release) {
        co_await gate_.settle(std::move(claims));
        co_return Done{};
    }
    if (plant_ == Plant::release_twice) {
        std::vector<Move> moves;
        for (const auto& [id, epoch] : claims) {
            const auto claim = claims_.find(id);
            if (claim == claims_.end() || released_.insert(id).second) continue;
            const auto& ticket = claim->second;
            moves.push_back({.sale = id.sale,
                             .epoch = epoch,
                             .delta_left = ticket.quantity,
                             .buyer = ticket.buyer,
                             .delta_units = -ticket.quantity});
        }
        co_await gate_.apply(std::move(moves));
    }
    co_await gate_.release(std::move(claims), ground);
    co_return Done{};
}

Task<Done> PlantedGate::apply(std::vector<Move> moves) {
    const bool gives_back = !moves.empty() && moves.front().delta_units < 0;
    if (plant_ == Plant::apply_twice && gives_back) co_await gate_.apply(moves);
    co_await gate_.apply(std::move(moves));
    co_return Done{};
}

Task<bool> PlantedGate::warm(Copy copy) {
    if (plant_ == Plant::history_forgotten)
        std::erase_if(copy.holdings, [](const auto& holding) { return holding.second == 0; });
    const auto [sale, epoch, left] = std::tuple(copy.sale, copy.epoch, copy.left);
    const bool filled = co_await gate_.warm(std::move(copy));
    if (!filled) co_return false;
    warmed_with_[sale] = left;
    epochs_[sale] = epoch;
    co_return true;
}

std::int64_t PlantedGate::epoch_of(SaleId sale) const {
    const auto known = epochs_.find(sale);
    return known == epochs_.end() ? 0 : known->second;
}

Task<OrderIntake::Taken> PlantedIntake::submit(Ticket ticket) {
    if (plant_ == Plant::ticket_per_attempt) {
        ++made_up_;
        std::ranges::fill(ticket.id.mark, static_cast<unsigned char>(made_up_));
    }
    if (plant_ == Plant::ack_before_commit) {
        Taken taken;
        taken.fate = Fate::ordered;
        taken.fresh = true;
        taken.record.id = ticket.id;
        taken.record.state = TicketState::committed;
        taken.record.quantity = ticket.quantity;
        taken.record.order = OrderId{++made_up_};
        schedule_.start(submit_later(std::move(ticket)));
        co_return taken;
    }
    auto taken = co_await intake_.submit(std::move(ticket));
    co_return taken;
}

Task<> PlantedIntake::submit_later(Ticket ticket) {
    co_await intake_.submit(std::move(ticket));
}

void LossySignals::sold_out(SaleId sale) noexcept {
    if (!schedule_.strikes(kSignalsLost)) listener_.sold_out(sale);
}

void LossySignals::restocked(SaleId sale) noexcept {
    if (plant_ == Plant::flag_never_cleared || schedule_.strikes(kSignalsLost)) return;
    listener_.restocked(sale);
}

PlantedLimiter::PlantedLimiter(const Clock& clock, Plant plant)
    : clock_(clock),
      plant_(plant),
      limiter_(plant == Plant::limiter_forgets ? 1 : kSets),
      began_at_(clock.now()) {}

gate::RateLimiter::Count PlantedLimiter::count(std::uint64_t key, gate::Quota quota) {
    const auto now = began_ + (clock_.now() - began_at_);
    const auto counted = limiter_.count(key, quota, now);
    if (plant_ == Plant::refusal_counts && counted.wait.count() > 0)
        limiter_.count(key, {.interval = quota.interval, .burst = quota.burst + 1}, now);
    return counted;
}

Timestamp PlantedClock::now() const {
    const std::chrono::seconds behind{plant_ == Plant::clock_behind ? 5 : 0};
    return clock_.now() - behind;
}

}  // namespace sluice::simulation
