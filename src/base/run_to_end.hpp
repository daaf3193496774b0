#pragma once

#include <optional>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "base/task.hpp"

namespace sluice {

/// Runs a task on an event loop of its own, on this thread, until it is done. For start-up and
/// commands; never from an event loop.
template <class T>
T run_to_end(Task<T> task) {
    boost::asio::io_context loop{1};
    auto busy = boost::asio::make_work_guard(loop);
    std::exception_ptr failure;
    std::optional<T> result;
    boost::asio::co_spawn(loop, std::move(task), [&](std::exception_ptr error, T value) {
        failure = error;
        if (!error) result.emplace(std::move(value));
        busy.reset();
    });
    loop.run();
    if (failure) std::rethrow_exception(failure);
    return std::move(*result);
}

inline void run_to_end(Task<> task) {
    boost::asio::io_context loop{1};
    auto busy = boost::asio::make_work_guard(loop);
    std::exception_ptr failure;
    boost::asio::co_spawn(loop, std::move(task), [&](std::exception_ptr error) {
        failure = error;
        busy.reset();
    });
    loop.run();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace sluice
