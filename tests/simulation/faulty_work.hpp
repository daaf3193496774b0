#pragma once

#include <string>

#include "base/outage.hpp"
#include "simulation/schedule.hpp"
#include "simulation/store.hpp"

namespace sluice::simulation {

/// One time in so many the ledger is away, and one time in so many a commit fails in its flush.
inline constexpr std::int64_t kAway = 25;
inline constexpr std::int64_t kInDoubt = 40;

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

/// Waits before the commit, between the commit and its news, and before the answer: others go on
/// in each of these, and the process may die in each.
template <class T, class Work>
Task<T> write(Store& store, Schedule& schedule, std::string what, Work work) {
    co_await schedule.pause(what + " arrives");
    fail_at_times(schedule);
    if (schedule.strikes(kInDoubt)) {
        store.leave_in_doubt(work);
        co_await schedule.pause(what + " is in doubt");
        throw Outage("the simulated disk failed in a flush");
    }
    T result = store.write(work);
    co_await schedule.pause(what + " is news");
    store.publish();
    co_await schedule.pause(what + " answers");
    co_return result;
}

}  // namespace sluice::simulation
