#include "app/purchase/admission.hpp"

#include <algorithm>
#include <cmath>

namespace sluice {
namespace {

/// The rate of an ordinary disk; the first rush measures the real one.
constexpr double kFirstGuess = 10'000;
constexpr double kMemorySeconds = 0.5;
/// From this backlog on, the ledger is what limits the rate.
constexpr std::size_t kTelling = Admission::kLeast / 4;

}  // namespace

Admission::Admission(std::size_t bound, std::size_t batch, std::chrono::seconds patience)
    : bound_(std::max(bound, kLeast)),
      least_(std::clamp(2 * batch, kLeast, bound_)),
      patience_seconds_(static_cast<double>(patience.count())),
      rate_(kFirstGuess),
      window_(window_for(kFirstGuess)) {}

std::size_t Admission::window_for(double rate) const noexcept {
    return std::clamp(static_cast<std::size_t>(rate * patience_seconds_), least_, bound_);
}

bool Admission::admit(std::size_t backlog) noexcept {
    if (backlog < window()) return true;
    refused_.fetch_add(1, std::memory_order_relaxed);
    return false;
}

void Admission::observe(const IntakeReport& report) noexcept {
    const double seconds = std::chrono::duration<double>(report.took).count();
    if (report.backlog < kTelling || seconds <= 0) return;
    const double seen = static_cast<double>(report.taken) / seconds;
    const double weight = 1 - std::exp(-seconds / kMemorySeconds);
    const double rate = rate_.load(std::memory_order_relaxed);
    const double smoothed = rate + (seen - rate) * weight;
    rate_.store(smoothed, std::memory_order_relaxed);
    window_.store(window_for(smoothed), std::memory_order_relaxed);
}

std::int64_t Admission::wait_seconds(std::size_t backlog) const noexcept {
    const double seconds = std::ceil(static_cast<double>(backlog) / rate());
    if (!(seconds < static_cast<double>(kLongestWait))) return backlog == 0 ? 1 : kLongestWait;
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(seconds));
}

double Admission::load(std::size_t backlog) const noexcept {
    return std::min(1.0, static_cast<double>(backlog) / static_cast<double>(window()));
}

}  // namespace sluice
