#pragma once

#include <exception>
#include <optional>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "base/task.hpp"

namespace sluice::testing_support {

/// Kept from one task to the next: a thread that tells the loop of its result may still be inside
/// the call when the task has ended.
inline boost::asio::io_context& private_loop() {
    thread_local boost::asio::io_context loop;
    loop.restart();
    return loop;
}

/// Runs a task to its end and returns, or throws, what came of it.
template <class T>
T run_to_end(Task<T> task) {
    auto& loop = private_loop();
    std::exception_ptr error;
    std::optional<T> result;
    boost::asio::co_spawn(loop, std::move(task), [&](std::exception_ptr thrown, T value) {
        error = thrown;
        if (!thrown) result = std::move(value);
    });
    loop.run();
    if (error) std::rethrow_exception(error);
    return std::move(*result);
}

inline void run_to_end(Task<> task) {
    auto& loop = private_loop();
    std::exception_ptr error;
    boost::asio::co_spawn(loop, std::move(task),
                          [&](std::exception_ptr thrown) { error = thrown; });
    loop.run();
    if (error) std::rethrow_exception(error);
}

}  // namespace sluice::testing_support
