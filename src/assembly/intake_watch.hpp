#pragma once

#include "adapters/system/shop_clock.hpp"
#include "assembly/ticket_failures.hpp"
#include "config/config.hpp"
#include "observe/duration_metric.hpp"
#include "observe/log.hpp"
#include "observe/metrics.hpp"
#include "ports/order_intake.hpp"

namespace sluice {

/// What operators see of the intake: how long commits take, and which tickets failed.
class IntakeWatch {
  public:
    IntakeWatch(ShopClock& clock, Log& log) : clock_(clock), failures(log) {}

    IntakeOptions options(const Config::Ledger& config) {
        return {.batch = config.batch,
                .backlog = config.backlog,
                .on_batch =
                    [this](const IntakeReport& report) {
                        clock_.rely();
                        commit_seconds_.record(report.took);
                    },
                .on_failure = failures.listener()};
    }
    void add_metrics(MetricsPage& metrics) {
        metrics.add(commit_seconds_);
        failures.add_to(metrics);
    }

  private:
    ShopClock& clock_;
    DurationMetric commit_seconds_{"sluice_commit_seconds",
                                   "From the start of a batch of purchases to its being on disk."};

  public:
    TicketFailures failures;
};

}  // namespace sluice
