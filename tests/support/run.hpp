#pragma once

#include <exception>
#include <optional>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "base/task.hpp"

namespace sluice::testing_support {

/// Runs a task on an event loop of its own and returns, or throws, what came of it.
template <class T>
T run_to_end(Task<T> task) {
    boost::asio::io_context loop;
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
    boost::asio::io_context loop;
    std::exception_ptr error;
    boost::asio::co_spawn(loop, std::move(task),
                          [&](std::exception_ptr thrown) { error = thrown; });
    loop.run();
    if (error) std::rethrow_exception(error);
}

}  // namespace sluice::testing_support
