#pragma once

#include <optional>

#include "base/local_loop.hpp"
#include "base/task.hpp"

namespace sluice {

/// Runs a task on an event loop of this thread's own, and returns or throws its outcome. For
/// start-up, commands and tests; never from an event loop.
template <class T>
T run_to_end(Task<T> task) {
    auto& loop = LocalLoop::of_this_thread();
    std::exception_ptr failure;
    std::optional<T> result;
    bool over = false;
    start_task(loop, std::move(task), [&](std::exception_ptr error, std::optional<T> value) {
        failure = error;
        result = std::move(value);
        over = true;
    });
    loop.run_until(over);
    if (failure) std::rethrow_exception(failure);
    return std::move(*result);
}

inline void run_to_end(Task<> task) {
    auto& loop = LocalLoop::of_this_thread();
    std::exception_ptr failure;
    bool over = false;
    start_task(loop, std::move(task), [&](std::exception_ptr error) {
        failure = error;
        over = true;
    });
    loop.run_until(over);
    if (failure) std::rethrow_exception(failure);
}

}  // namespace sluice
