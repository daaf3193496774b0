#pragma once

#include <atomic>
#include <chrono>
#include <optional>

#include "ports/order_intake.hpp"
#include "ports/stock_gate.hpp"

namespace sluice {

/// How many tickets are under way in the whole cluster: claimed anywhere and not decided yet. It is
/// what the hot copies said when they were last asked, and what was handed in here since then. What
/// other nodes have handed in since then is not known, so together they may let in a little more
/// than one alone would.
class ClusterBacklog {
  public:
    using Instant = std::chrono::steady_clock::time_point;
    static constexpr std::chrono::milliseconds kPace{250};

    explicit ClusterBacklog(StockGate& gate) : gate_(gate) {}

    /// Asks the hot copies, every kPace; one call at a time. Returns how many were decided since
    /// the call before; nullopt when that cannot be told. May throw Outage: then what is handed in
    /// here goes on being counted.
    Task<std::optional<IntakeReport>> look(Instant now);

    // From any thread, without waiting:

    /// A ticket is handed in here.
    void note_own() noexcept { own_.fetch_add(1, std::memory_order_relaxed); }
    std::size_t count() const noexcept;
    /// When the oldest ticket was claimed that is queued; nullopt: none is, or nobody has asked.
    std::optional<Timestamp> oldest() const noexcept;

  private:
    struct Seen {
        StockGate::UnderWay all;
        Instant at;
    };

    StockGate& gate_;
    std::optional<Seen> seen_;  // of the caller of look()
    std::atomic<std::uint64_t> own_ = 0;
    /// What is in the whole cluster, less what had been handed in here when it was asked: so that
    /// adding what has been handed in here by now gives the whole.
    std::atomic<std::int64_t> others_ = 0;
    std::atomic<std::int64_t> oldest_ = 0;  // in milliseconds; 0: none
};

}  // namespace sluice
