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

Task<Done> PlantedGate::release(std::vector<ClaimName> claims) {
    if (plant_ == Plant::settle_for_release) {
        co_await gate_.settle(std::move(claims));
        co_return Done{};
    }
    if (plant_ == Plant::release_twice)
        for (const auto& claim : claims) co_await release_blindly(claim);
    co_await gate_.release(std::move(claims));
    co_return Done{};
}

/// Returns the units of a claim that was released before, with an invented row of the outbox.
Task<> PlantedGate::release_blindly(ClaimName claim) {
    const auto known = claims_.find(claim.ticket);
    if (known == claims_.end() || released_.insert(claim.ticket).second) co_return;
    const auto& ticket = known->second;
    const auto sale = claim.ticket.sale;
    const auto copy = co_await gate_.open_copy(sale);
    if (!copy) co_return;
    const std::vector<HotChange> rows{{.seq = copy->applied + 1,
                                       .delta_left = ticket.quantity,
                                       .buyer = ticket.buyer,
                                       .delta_units = -ticket.quantity}};
    co_await gate_.apply(sale, claim.epoch, rows);
}

Task<std::optional<std::int64_t>> PlantedGate::apply(SaleId sale, std::int64_t epoch,
                                                     std::vector<HotChange> rows) {
    if (plant_ == Plant::apply_twice)
        for (auto& row : rows)
            if (row.delta_units < 0) row.delta_left *= 2;
    return gate_.apply(sale, epoch, std::move(rows));
}

Task<bool> PlantedGate::begin_fill(Filling filling, std::int64_t left, std::int64_t applied) {
    warmed_with_[filling.sale] = left;
    return gate_.begin_fill(std::move(filling), left, applied);
}

Task<bool> PlantedGate::fill(Filling filling, Holdings chunk) {
    if (plant_ == Plant::history_forgotten)
        std::erase_if(chunk, [](const auto& holding) { return holding.second == 0; });
    return gate_.fill(std::move(filling), std::move(chunk));
}

Task<bool> PlantedGate::open_epoch(Filling filling) {
    const auto [sale, epoch] = std::pair(filling.sale, filling.epoch);
    const bool opened = co_await gate_.open_epoch(std::move(filling));
    if (opened) epochs_[sale] = epoch;
    co_return opened;
}

std::int64_t PlantedGate::epoch_of(SaleId sale) const {
    const auto known = epochs_.find(sale);
    return known == epochs_.end() ? 0 : known->second;
}

Task<OrderIntake::Taken> PlantedIntake::submit(Slot slot, Ticket ticket) {
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
        taken.own = taken.record;
        schedule_.start(submit_later(std::move(slot), std::move(ticket)));
        co_return taken;
    }
    auto taken = co_await intake_.submit(std::move(slot), std::move(ticket));
    co_return taken;
}

Task<> PlantedIntake::submit_later(Slot slot, Ticket ticket) {
    co_await intake_.submit(std::move(slot), std::move(ticket));
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
