#pragma once

#include <atomic>
#include <chrono>
#include <optional>

#include "ports/order_intake.hpp"
#include "ports/stock_gate.hpp"

namespace sluice {

/// How many tickets are under way in the whole cluster: claimed anywhere and not decided yet. It is
/// what the hot copies answered last, plus what was handed in here since then. What other nodes
/// have handed in since then is not known, so together the nodes may let in slightly more than one
/// node alone would.
class ClusterBacklog {
  public:
    using Instant = std::chrono::steady_clock::time_point;
    static constexpr std::chrono::milliseconds kPace{250};

    explicit ClusterBacklog(StockGate& gate) : gate_(gate) {}

    /// Asks the hot copies, every kPace; one call at a time. Returns how many tickets were decided
    /// since the last call; nullopt when that is not known. May throw Outage: then what is handed
    /// in here is still counted.
    Task<std::optional<IntakeReport>> look(Instant now);

    // From any thread, without waiting:

    /// A ticket is handed in here.
    void note_own() noexcept { own_.fetch_add(1, std::memory_order_relaxed); }
    std::size_t count() const noexcept;
    /// When the oldest queued ticket was claimed; nullopt when none is queued or nobody has asked
    /// yet.
    std::optional<Timestamp> oldest() const noexcept;

  private:
    struct Seen {
        StockGate::UnderWay all;
        Instant at;
    };

    StockGate& gate_;
    std::optional<Seen> seen_;  // used by the caller of look() only
    std::atomic<std::uint64_t> own_ = 0;
    /// The count of the whole cluster, less what had been handed in here when it was asked. So
    /// adding what has been handed in here by now gives the present count.
    std::atomic<std::int64_t> others_ = 0;
    std::atomic<std::int64_t> oldest_ = 0;  // in milliseconds; 0: none
};

}  // namespace sluice
