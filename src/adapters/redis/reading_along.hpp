#pragma once

#include "base/nap.hpp"
#include "base/outage.hpp"

namespace sluice::redis {

/// The rounds of somebody who reads along a log in Redis, where each read waits for the next entry.
/// On one loop.
class ReadingAlong {
  public:
    /// `read` again and again until stop(). An outage only makes it try again; `lose` is then
    /// called after each try, because it may be another Redis when it is back.
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

    /// Instead of a read, when there is no log yet.
    Task<> wait() { return nap_.sleep(kWait); }

    /// How long a read waits at Redis for the next entry.
    static constexpr std::chrono::milliseconds kWait{100};

  private:
    static constexpr std::chrono::milliseconds kPace{5};      // so that entries come by the dozen
    static constexpr std::chrono::milliseconds kOutage{100};  // before the next try

    bool is_stopped_ = false;
    Nap nap_;
};

}  // namespace sluice::redis
