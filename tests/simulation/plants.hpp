#pragma once

#include <array>
#include <map>
#include <memory>
#include <set>

#include "gate/rate_limiter.hpp"
#include "ports/clock.hpp"
#include "ports/order_intake.hpp"
#include "ports/stock_gate.hpp"
#include "ports/stock_signals.hpp"
#include "simulation/schedule.hpp"

namespace sluice::simulation {

/// Bugs that the simulation has to find, each put around or in front of the real part.
enum class Plant {
    none,
    ack_before_commit,       // a buyer is told yes before the ledger has it
    release_twice,           // a release does not look whether the claim is open
    flag_never_cleared,      // a flag is never cleared: no signal, and nobody looks
    settle_for_release,      // a refused claim's units are taken for sold
    apply_twice,             // a cancelled order returns its units twice to the hot copy
    ticket_per_attempt,      // a retry is another ticket
    clock_behind,            // the window is judged by a clock that lags
    history_forgotten,       // after a restart nobody has a past
    capture_without_look,    // money pays the order as it was when the event came
    late_money_kept,         // money that paid nothing is not owed back
    refund_under_new_key,    // a refund that is tried again is another refund
    expiry_keeps_allowance,  // an expired order still counts against its buyer
    gate_by_total,           // as many passes as for the units there were, not for those left
    limiter_forgets,         // a flood of strangers makes the limiter forget whom it has counted
    refusal_counts,          // whoever is refused for being too fast has to wait longer for it
    pause_remembered,        // after a pause, its refusal is repeated for ever
    absence_remembered,      // a ticket that was asked for too early is never found
    deed_dated_by_request,   // a pause counts from its request, before its commit
    others_money_sent_back,  // money that another provider took is sent back by ours
    wall_clock_trusted,      // the shop's time is whatever the wall clock shows
    cold_stays_cold,         // a sale without a hot copy gets none before a restart
    batch_fails_together,    // one bad ticket is an error for everybody in its batch
    edit_writes_stock,       // an edit writes the stock that was shown when it was asked
    key_per_process,         // after a restart the same purchase is another ticket
};

struct PlantName {
    Plant plant;
    const char* name;
    std::uint64_t within = 100;  // number of seeds, from the first, of which one must find it
};
inline constexpr std::array<PlantName, 24> kPlants{{
    {Plant::ack_before_commit, "ack_before_commit"},
    {Plant::release_twice, "release_twice"},
    {Plant::flag_never_cleared, "flag_never_cleared"},
    {Plant::settle_for_release, "settle_for_release"},
    {Plant::apply_twice, "apply_twice"},
    {Plant::ticket_per_attempt, "ticket_per_attempt"},
    {Plant::clock_behind, "clock_behind"},
    {Plant::history_forgotten, "history_forgotten"},
    {Plant::capture_without_look, "capture_without_look"},
    {Plant::late_money_kept, "late_money_kept"},
    {Plant::refund_under_new_key, "refund_under_new_key"},
    {Plant::expiry_keeps_allowance, "expiry_keeps_allowance"},
    {Plant::gate_by_total, "gate_by_total"},
    {Plant::limiter_forgets, "limiter_forgets"},
    {Plant::refusal_counts, "refusal_counts"},
    {Plant::pause_remembered, "pause_remembered"},
    {Plant::absence_remembered, "absence_remembered", 1000},
    {Plant::deed_dated_by_request, "deed_dated_by_request", 1000},
    {Plant::others_money_sent_back, "others_money_sent_back"},
    {Plant::wall_clock_trusted, "wall_clock_trusted"},
    {Plant::cold_stays_cold, "cold_stays_cold"},
    {Plant::batch_fails_together, "batch_fails_together", 2000},
    {Plant::edit_writes_stock, "edit_writes_stock"},
    {Plant::key_per_process, "key_per_process", 2000},
}};

/// A gate with a bug, when the plant is one of a gate.
class PlantedGate final : public StockGate {
  public:
    PlantedGate(StockGate& gate, Plant plant) : gate_(gate), plant_(plant) {}

    Glance glance(SaleId sale, UserId buyer) const override;
    Task<Claimed> claim(Ticket ticket, std::int64_t limit) override;
    Task<bool> is_open(TicketId ticket, UserId buyer) override;
    Task<std::optional<TicketId>> latest_open(SaleId sale, UserId buyer) override {
        return gate_.latest_open(sale, buyer);
    }
    Task<std::vector<TicketId>> hand_off(std::vector<ClaimName> claims) override;
    Task<std::vector<Ticket>> condemn(Timestamp claimed_before) override;
    Task<std::vector<TicketId>> settle(std::vector<ClaimName> claims) override;
    Task<std::vector<Ticket>> handed_off(Timestamp claimed_before) override {
        return gate_.handed_off(claimed_before);
    }
    Task<Done> release(std::vector<ClaimName> claims) override;
    Task<std::optional<std::int64_t>> apply(SaleId sale, std::int64_t epoch,
                                            std::vector<HotChange> rows) override;
    Task<bool> begin_fill(Filling filling, std::int64_t left, std::int64_t applied) override;
    Task<bool> fill(Filling filling, Holdings chunk) override;
    Task<bool> open_epoch(Filling filling) override;
    Task<bool> forget(SaleId sale, std::int64_t epoch) override {
        return gate_.forget(sale, epoch);
    }
    Task<std::int64_t> opened_epoch(SaleId sale) override { return gate_.opened_epoch(sale); }
    Task<std::optional<OpenCopy>> open_copy(SaleId sale) override { return gate_.open_copy(sale); }
    Task<std::vector<OpenCopy>> open_copies() override { return gate_.open_copies(); }
    Task<std::optional<Snapshot>> snapshot(SaleId sale) override { return gate_.snapshot(sale); }
    Task<UnderWay> under_way() override { return gate_.under_way(); }

    /// Of the copy that was last filled; 0 without one.
    std::int64_t epoch_of(SaleId sale) const;

  private:
    StockGate& gate_;
    const Plant plant_;
    Task<> release_blindly(ClaimName claim);

    std::map<SaleId, std::int64_t> warmed_with_;
    std::map<SaleId, std::int64_t> epochs_;
    std::map<TicketId, Ticket> claims_;
    std::set<TicketId> released_;
};

/// An intake with a bug, when the plant is one of an intake.
class PlantedIntake final : public OrderIntake {
  public:
    PlantedIntake(OrderIntake& intake, Plant plant, Schedule& schedule)
        : intake_(intake), plant_(plant), schedule_(schedule) {}

    std::optional<Slot> reserve() override { return intake_.reserve(); }
    Task<Taken> submit(Slot slot, Ticket ticket) override;
    std::size_t backlog() const override { return intake_.backlog(); }

  private:
    Task<> submit_later(Slot slot, Ticket ticket);

    OrderIntake& intake_;
    const Plant plant_;
    Schedule& schedule_;
    std::int64_t made_up_ = 0;
};

/// Signals on their way from the hot copy to the flags: some are lost.
class LossySignals final : public StockSignals {
  public:
    LossySignals(StockSignals& listener, Plant plant, Schedule& schedule)
        : listener_(listener), plant_(plant), schedule_(schedule) {}

    void sold_out(SaleId sale) noexcept override;
    void restocked(SaleId sale) noexcept override;

  private:
    StockSignals& listener_;
    const Plant plant_;
    Schedule& schedule_;
};

/// The rate limiter by the simulated clock, with a bug when the plant is one of a limiter.
class PlantedLimiter {
  public:
    PlantedLimiter(const Clock& clock, Plant plant);

    gate::RateLimiter::Count count(std::uint64_t key, gate::Quota quota);

  private:
    const Clock& clock_;
    const Plant plant_;
    gate::RateLimiter limiter_;
    const gate::RateLimiter::Instant began_ = std::chrono::steady_clock::now();
    const Timestamp began_at_;
};

/// The clock that the purchase looks at.
class PlantedClock final : public Clock {
  public:
    PlantedClock(const Clock& clock, Plant plant) : clock_(clock), plant_(plant) {}
    Timestamp now() const override;

  private:
    const Clock& clock_;
    const Plant plant_;
};

}  // namespace sluice::simulation
