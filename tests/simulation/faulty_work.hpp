#pragma once

#include "base/outage.hpp"
#include "simulation/schedule.hpp"
#include "simulation/store.hpp"

namespace sluice::simulation {

/// One time in so many the ledger is away.
inline constexpr std::int64_t kAway = 25;

inline void fail_at_times(Schedule& schedule) {
    if (schedule.strikes(kAway)) throw Outage("the simulated ledger is away");
}

template <class T, class Work>
Task<T> read(Store& store, Schedule& schedule, Work work) {
    co_await schedule.pause("read arrives");
    fail_at_times(schedule);
    T result = store.read(work);
    co_await schedule.pause("read answers");
    co_return result;
}

template <class T, class Work>
Task<T> write(Store& store, Schedule& schedule, const char* arrives, const char* answers,
              Work work) {
    co_await schedule.pause(arrives);
    fail_at_times(schedule);
    T result = store.write(work);
    co_await schedule.pause(answers);
    co_return result;
}

}  // namespace sluice::simulation
