#pragma once

#include <functional>
#include <string>

#include "adapters/system/shop_clock.hpp"
#include "base/task.hpp"
#include "observe/log.hpp"
#include "observe/metrics.hpp"

namespace sluice {

/// Has the shop's clock compared with the system's, notes its time for the next start, and tells
/// operators when the two differ.
class ClockWatch {
  public:
    /// `is_relied_on`: whether anybody was given a pass or an order by this time.
    ClockWatch(ShopClock& clock, std::function<bool()> is_relied_on, Log& log);

    /// One comparison; several times a second.
    Task<> look();

    /// What an operator should know about the clock; empty when all is well. From any thread.
    std::string detail() const;

    void add_metrics(MetricsPage& metrics) const;

  private:
    void tell(ShopTime::Event event);
    void note();

    ShopClock& clock_;
    const std::function<bool()> is_relied_on_;
    Log& log_;
    int looks_ = 0;
    bool can_note_ = true;
};

}  // namespace sluice
