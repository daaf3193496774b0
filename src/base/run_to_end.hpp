#pragma once

#include <optional>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "base/task.hpp"

namespace sluice {

/// Kept from one task to the next: a thread that tells the loop of its result may still be inside
/// that call when the task has ended.
inline boost::asio::io_context& private_loop() {
    thread_local boost::asio::io_context loop{1};
    loop.restart();
    return loop;
}

/// Runs a task on an event loop of this thread's own and returns, or throws, what came of it. For
/// start-up, commands and tests; never from an event loop.
template <class T>
T run_to_end(Task<T> task) {
    auto& loop = private_loop();
    std::exception_ptr failure;
    std::optional<T> result;
    boost::asio::co_spawn(loop, std::move(task), [&](std::exception_ptr error, T value) {
        failure = error;
        if (!error) result.emplace(std::move(value));
    });
    loop.run();
    if (failure) std::rethrow_exception(failure);
    return std::move(*result);
}

inline void run_to_end(Task<> task) {
    auto& loop = private_loop();
    std::exception_ptr failure;
    boost::asio::co_spawn(loop, std::move(task),
                          [&](std::exception_ptr error) { failure = error; });
    loop.run();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace sluice
