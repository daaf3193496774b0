#pragma once

#include <atomic>
#include <functional>
#include <string_view>

#include "domain/ticket.hpp"
#include "observe/log.hpp"
#include "observe/metrics.hpp"

namespace sluice {

/// Tells the operator of tickets that failed alone: their rows do not fit together, because
/// somebody changed the database by hand or because of a bug. Outlives every user of its listener.
class TicketFailures {
  public:
    explicit TicketFailures(Log& log) : log_(log) {}

    /// From any thread.
    std::function<void(const Ticket&, std::string_view reason)> listener() {
        return [this](const Ticket& ticket, std::string_view reason) {
            ++count_;
            log_.error(
                "ticket.failed",
                {{"ticket", ticket.id.text()}, {"buyer", ticket.buyer.text()}, {"reason", reason}});
        };
    }

    void add_to(MetricsPage& page) const {
        page.add_counter("sluice_tickets_failed_total",
                         "Tickets that failed alone, because their rows do not fit together.",
                         [this] { return static_cast<double>(count_); });
    }

  private:
    Log& log_;
    std::atomic<std::uint64_t> count_ = 0;
};

}  // namespace sluice
