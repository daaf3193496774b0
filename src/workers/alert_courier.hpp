#pragma once

#include <chrono>

#include "app/alerts/alert_box.hpp"
#include "observe/log.hpp"
#include "ports/clock.hpp"

namespace sluice {

/// Delivers the alerts of one box to their channel, one after the other. A delivery that fails is
/// tried five times within some minutes; a test is tried once.
class AlertCourier {
  public:
    static constexpr int kTries = 5;
    static constexpr std::chrono::milliseconds kFirstPause{5'000};  // then twice as long
    static constexpr std::chrono::milliseconds kLongestPause{60'000};

    AlertCourier(AlertBox& box, AlertChannel& channel, const Clock& clock, Log& log)
        : box_(box), channel_(channel), clock_(clock), log_(log) {}

    /// Delivers what is due; returns how long to wait until there may be more.
    Task<std::chrono::milliseconds> send_due();

  private:
    void conclude(AlertBox::Waiting waiting, AlertChannel::Answer answer);
    void fail(AlertBox::Waiting waiting, const AlertChannel::Answer& answer);

    AlertBox& box_;
    AlertChannel& channel_;
    const Clock& clock_;
    Log& log_;
};

}  // namespace sluice
