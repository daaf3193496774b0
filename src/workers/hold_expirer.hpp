#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <optional>

#include "app/purchase/hot_outbox.hpp"
#include "observe/log.hpp"
#include "ports/clock.hpp"
#include "ports/order_ledger.hpp"

namespace sluice {

/// Expires pending orders in the ledger when they are due; the hot copy learns of it from the
/// outbox. It asks the ledger what is due next and sleeps until then, so a restart loses nothing.
/// When an order is made that is due sooner, it is woken.
///
/// An order whose units are not where they should be cannot be expired. The expirer skips it,
/// reports it, and tries it again a minute later.
class HoldExpirer {
  public:
    /// Orders in one transaction. Purchases share the ledger's only writer and wait behind it, so
    /// it should last a few milliseconds.
    static constexpr std::size_t kAtOnce = 500;
    static constexpr std::chrono::minutes kTryAgain{1};

    /// Nothing is expired while `is_time_proven` returns false, because an expired order stays
    /// expired.
    HoldExpirer(
        OrderLedger& ledger, HotOutbox& outbox, const Clock& clock, Log& log,
        std::function<bool()> is_time_proven = [] { return true; })
        : ledger_(ledger),
          outbox_(outbox),
          clock_(clock),
          log_(log),
          is_time_sure_(std::move(is_time_proven)) {}

    /// Expires what is due; returns how long to sleep until the next order is due. May throw
    /// Outage: what was not expired stays due.
    Task<std::chrono::milliseconds> expire_due();

    /// Whether an order that is due then is due before the expirer wakes up. From any thread.
    bool is_sooner(Timestamp due) const { return to_millis(due) < sleeps_until_; }

    /// Orders that are due and cannot be expired, as of the last complete look. From any thread.
    std::size_t stuck() const { return stuck_; }

  private:
    static constexpr std::int64_t kForEver = std::numeric_limits<std::int64_t>::max();

    void begin_look(Timestamp now);
    Task<> expire_some(Timestamp now);
    void end_look();
    std::chrono::milliseconds sleep_for(Timestamp now, std::optional<Timestamp> next) const;

    OrderLedger& ledger_;
    HotOutbox& outbox_;
    const Clock& clock_;
    Log& log_;
    const std::function<bool()> is_time_sure_;
    // State of the present look: the place behind the stuck orders so far, and which orders were
    // stuck.
    OrderLedger::DuePlace passed_;
    Timestamp look_again_at_{};
    std::size_t found_stuck_ = 0;
    std::optional<OrderId> first_stuck_;

    std::optional<OrderId> reported_;  // the first of those that were stuck
    std::atomic<std::size_t> stuck_ = 0;
    std::atomic<std::int64_t> sleeps_until_ = kForEver;
};

}  // namespace sluice
