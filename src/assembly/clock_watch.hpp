#pragma once

#include <functional>
#include <string>

#include "adapters/system/shop_clock.hpp"
#include "base/task.hpp"
#include "observe/log.hpp"
#include "observe/metrics.hpp"

namespace sluice {

/// Compares the shop's clock with the system's, notes its time for the next start, and tells
/// operators when the two differ.
class ClockWatch {
  public:
    struct Shop {
        /// Whether anybody was given a pass or an order since the start.
        std::function<bool()> is_relied_on;
        /// Who would notice it if the shop's time were set from the first to the second.
        std::function<Task<Stakes>(Timestamp, Timestamp)> stakes;
        /// Whether holds from before the start wait until the time is proven.
        bool has_found_holds = false;
    };
    ClockWatch(ShopClock& clock, Shop shop, Log& log);

    /// One comparison; several times a second.
    Task<> look();

    /// What an operator should know about the clock; empty when all is well. From any thread.
    std::vector<Notice> complaints() const;

    void add_metrics(MetricsPage& metrics) const;

  private:
    Task<Stakes> ask_for_stakes();
    void tell(ShopTime::Event event, ShopTime::Duration difference);
    void note();

    ShopClock& clock_;
    const Shop shop_;
    Log& log_;
    int looks_ = 0;
    bool was_relied_on_ = false;
    bool can_note_ = true;
    bool can_ask_ = true;
};

}  // namespace sluice
