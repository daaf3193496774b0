#include "main/ledger_clock_watch.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

constexpr auto kTolerated = 1'000ms;

}  // namespace

Task<> LedgerClockWatch::look() {
    const auto difference = co_await ask_();
    millis_ = difference.count();
    const bool differs = std::chrono::abs(difference) > kTolerated;
    if (differs && !differs_)
        log_.warn("ledger.clock_differs", {{"server_is_ahead_ms", difference.count()},
                                           {"advice", "synchronise both machines by NTP"}});
    if (!differs && differs_) log_.info("ledger.clock_agrees");
    differs_ = differs;
}

void LedgerClockWatch::add_metrics(MetricsPage& metrics) const {
    metrics.add_gauge("sluice_ledger_clock_difference_seconds",
                      "By how much the database server's clock is ahead of ours.",
                      [this] { return static_cast<double>(millis_) / 1'000; });
}

}  // namespace sluice
