#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "ports/order_intake.hpp"

namespace sluice {

/// Limits how many purchases may be under way: as many as are decided before buyers lose patience.
/// If a purchase is answered when it is written, that is a second, so that whoever is let in waits
/// no longer than whoever is told to come back in a second. If it is queued first, the buyer has an
/// answer already, and the patience is the time for the decision that the shop promises.
///
/// The rule: window = rate × patience, at least 1,024 or two batches (whichever is more), and at
/// most the intake's bound. A purchase is let in while fewer than that are under way. The rate is
/// measured: tickets of a batch divided by the time it took, smoothed over half a second of the
/// ledger's own time. Only batches that began with a backlog count, since small batches of an idle
/// ledger do not show what it can do.
///
/// Why it is stable: nothing is integrated. The backlog cannot exceed the window, whatever the disk
/// does and even if no commit is reported any more. Each commit makes room for as many as it wrote,
/// so purchases are let in at the ledger's own pace, and no rate can overshoot. The window holds
/// two full batches, if the bound does, so it never starves the ledger, which would lower the
/// measured rate. Only the smoothing has to settle, and a first-order lag cannot oscillate.
/// docs/adr/0021.
class Admission {
  public:
    /// Below this backlog nobody is ever refused.
    static constexpr std::size_t kLeast = OrderIntake::kLeastSlots;

    explicit Admission(std::size_t bound, std::size_t batch = IntakeOptions::kBatch,
                       std::chrono::seconds patience = std::chrono::seconds{1});

    /// Whether one more purchase may be claimed while `backlog` are under way. From any thread;
    /// does not wait.
    bool admit(std::size_t backlog) noexcept;

    /// Reports a batch of the ledger. From one thread, such as the ledger's writer.
    void observe(const IntakeReport& report) noexcept;

    /// While this is set, only the minimum is let in: the queue that carries tickets to the writers
    /// is full. From any thread.
    void set_tight(bool tight) noexcept { tight_.store(tight, std::memory_order_relaxed); }

    /// How long it takes until those under way are decided, as far as is known: at least 1 and at
    /// most kLongestWait.
    std::int64_t wait_seconds(std::size_t backlog) const noexcept;
    static constexpr std::int64_t kLongestWait = 3'600;

    /// 0 when nothing is under way, 1 when purchases are being refused.
    double load(std::size_t backlog) const noexcept;

    /// Purchases a second, as measured so far.
    double rate() const noexcept { return rate_.load(std::memory_order_relaxed); }
    std::size_t window() const noexcept {
        if (tight_.load(std::memory_order_relaxed)) return least_;
        return window_.load(std::memory_order_relaxed);
    }
    std::uint64_t refused() const noexcept { return refused_.load(std::memory_order_relaxed); }

  private:
    std::size_t window_for(double rate) const noexcept;

    const std::size_t bound_;
    const std::size_t least_;
    const double patience_seconds_;
    std::atomic<double> rate_;
    std::atomic<std::size_t> window_;
    std::atomic<bool> tight_ = false;
    // For refusals only, so that counting them does not slow those who read the window.
    alignas(64) std::atomic<std::uint64_t> refused_{0};
};

}  // namespace sluice
