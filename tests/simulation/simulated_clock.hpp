#pragma once

#include <optional>
#include <string>

#include "base/shop_time.hpp"
#include "ports/clock.hpp"

namespace sluice::simulation {

/// The shop's time as the server keeps it, by the real ShopTime, on a machine whose wall clock is
/// set wrong and right again. The time since the machine's start cannot be set: it is the true
/// time.
class SimulatedClock final : public Clock {
  public:
    /// With `trusts_wall` the shop uses whatever the wall clock shows: a planted bug.
    explicit SimulatedClock(bool trusts_wall);

    Timestamp now() const override;

    /// The shop's time moves on by so much, and the server looks at its clocks meanwhile.
    void move(std::chrono::milliseconds by);

    /// Somebody sets the wall clock.
    void step(std::chrono::milliseconds by);
    std::chrono::milliseconds wall_is_ahead() const { return ahead_; }

    /// Another process begins, with the note of the one before.
    void restart();

    /// Since the machine's start.
    std::chrono::milliseconds boot() const { return boot_; }

    /// What is wrong with the shop's time, if anything: it went back; or it is not the true time
    /// although no step has lasted for a minute.
    std::optional<std::string> complaint();

  private:
    ClockReading reading() const;
    Timestamp true_time() const;
    void look();

    const bool trusts_wall_;
    std::chrono::milliseconds boot_{1'000'000};
    std::chrono::milliseconds ahead_{0};
    bool was_followed_ = false;  // a step has lasted: the shop may differ from the true time
    std::optional<ShopTime> time_;
    Timestamp least_;  // as the server's clock, it stands still rather than going back
    Timestamp seen_;   // at the last complaint()
};

}  // namespace sluice::simulation
