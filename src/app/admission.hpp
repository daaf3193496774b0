#pragma once

#include <atomic>
#include <cstdint>

#include "ports/order_intake.hpp"

namespace sluice {

/// How many purchases may be under way: as many as the ledger commits in a second, so that whoever
/// is let in waits no longer than whoever is told to come back in a second.
///
/// The law: window = rate × 1 s, never below 1,024 or two batches, whichever is more, and never
/// above the intake's bound; a purchase
/// is let in while fewer than that are under way. The rate is measured, not searched for: tickets
/// of a batch divided by how long it took, smoothed over half a second of the ledger's own time,
/// and only from batches that began with a backlog, since an idle ledger's small batches say
/// nothing of what it can do.
///
/// Why it is stable: nothing is integrated. The backlog cannot pass the window, whatever the disk
/// does and even if no commit is ever heard of again; each commit makes room for what it took, so
/// what is let in runs at the ledger's own pace without a rate to overshoot. The window holds two
/// full batches, if the bound does, so it never starves the ledger and thereby lowers its own
/// measure. What is left to settle is the smoothing, a first-order lag, which cannot swing.
/// docs/adr/0021.
class Admission {
  public:
    /// Below this backlog nobody is ever refused.
    static constexpr std::size_t kLeast = OrderIntake::kLeastSlots;

    explicit Admission(std::size_t bound, std::size_t batch = IntakeOptions::kBatch);

    /// Whether one more purchase may be claimed while so many are under way. From any thread;
    /// waits for nothing.
    bool admit(std::size_t backlog) noexcept;

    /// What the ledger did. From one thread, the ledger's writer.
    void observe(const IntakeReport& report) noexcept;

    /// 0 when nothing is under way, 1 when purchases are being refused.
    double load(std::size_t backlog) const noexcept;

    /// Purchases a second, as far as is known.
    double rate() const noexcept { return rate_.load(std::memory_order_relaxed); }
    std::size_t window() const noexcept { return window_.load(std::memory_order_relaxed); }
    std::uint64_t refused() const noexcept { return refused_.load(std::memory_order_relaxed); }

  private:
    std::size_t window_for(double rate) const noexcept;

    const std::size_t bound_;
    const std::size_t least_;
    std::atomic<double> rate_;
    std::atomic<std::size_t> window_;
    // Of the refusals only, so that counting them does not slow those who read the window.
    alignas(64) std::atomic<std::uint64_t> refused_{0};
};

}  // namespace sluice
