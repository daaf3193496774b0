#pragma once

#include "base/nap.hpp"
#include "base/outage.hpp"

namespace sluice::redis {

/// The rounds of something that follows a log in Redis, where each read waits for the next entry.
/// On one loop.
class LogFollower {
  public:
    /// Calls `read` again and again until stop(). After an outage it tries again, and calls `lose`
    /// after each try, because the Redis that answers then may be another one.
    template <class Read, class Lose>
    Task<> run(Read read, Lose lose) {
        while (!is_stopped_) {
            bool is_away = false;
            try {
                co_await read();
            } catch (const Outage&) {
                is_away = true;
            } catch (const Overload&) {
                is_away = true;
            }
            if (is_stopped_) co_return;
            if (is_away) lose();
            co_await nap_.sleep(is_away ? kOutage : kPace);
        }
    }
    void stop() {
        is_stopped_ = true;
        nap_.end();
    }

    /// Called instead of a read when there is no log yet.
    Task<> wait() { return nap_.sleep(kWait); }

    /// How long a read waits at Redis for the next entry.
    static constexpr std::chrono::milliseconds kWait{100};

  private:
    static constexpr std::chrono::milliseconds kPace{5};      // so that many entries come at once
    static constexpr std::chrono::milliseconds kOutage{100};  // before the next try

    bool is_stopped_ = false;
    Nap nap_;
};

}  // namespace sluice::redis
