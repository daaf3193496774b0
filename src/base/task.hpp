#pragma once

#include <exception>
#include <functional>
#include <utility>

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace sluice {

using Executor = boost::asio::io_context::executor_type;

/// The one coroutine type: lazy, resumed on the event loop it was started on.
template <class T = void>
using Task = boost::asio::awaitable<T, Executor>;

inline constexpr boost::asio::use_awaitable_t<Executor> use_task{};

/// Stands for "it is done" where a Task has nothing else to say.
struct Done {};

/// How blocking work on another thread tells its outcome: called exactly once, from any thread.
template <class T>
using Completion = std::move_only_function<void(std::exception_ptr, T)>;

/// Awaits `start(completion)`: the caller is resumed on its own event loop, wherever the
/// completion was called.
template <class T, class Start>
Task<T> await_completion(Start start) {
    namespace asio = boost::asio;
    return asio::async_initiate<const asio::use_awaitable_t<Executor>&,
                                void(std::exception_ptr, T)>(
        [](auto handler, Start go) {
            auto executor = asio::get_associated_executor(handler);
            go(Completion<T>([handler = std::move(handler), executor](std::exception_ptr error,
                                                                      T value) mutable {
                asio::post(executor, [handler = std::move(handler), error = std::move(error),
                                      value = std::move(value)]() mutable {
                    std::move(handler)(std::move(error), std::move(value));
                });
            }));
        },
        use_task, std::move(start));
}

}  // namespace sluice
