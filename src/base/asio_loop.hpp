#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/task.hpp"

namespace sluice {

/// Asio's own coroutines: used for reading and writing sockets, and for nothing else.
using AsioExecutor = boost::asio::io_context::executor_type;
template <class T = void>
using Flow = boost::asio::awaitable<T, AsioExecutor>;
inline constexpr boost::asio::use_awaitable_t<AsioExecutor> use_flow{};

/// One of Asio's event loops as the executor of tasks.
class AsioLoop final : public Executor {
  public:
    explicit AsioLoop(boost::asio::io_context& context) : context_(context) {}

    void post(std::move_only_function<void()> work) override;
    std::unique_ptr<Alarm> set_alarm(std::chrono::milliseconds after,
                                     std::move_only_function<void()> ring) override;

    boost::asio::io_context& context() { return context_; }

  private:
    boost::asio::io_context& context_;
};

/// Awaits a task in a flow, both on that loop.
template <class T>
Flow<T> await_task(AsioLoop& loop, Task<T> task);
Flow<> await_task(AsioLoop& loop, Task<> task);

/// Awaits a flow in a task.
template <class T>
Task<T> await_flow(AsioLoop& loop, Flow<T> flow) {
    auto start = [&loop, flow = std::move(flow)](Completion<T> done) mutable {
        boost::asio::co_spawn(
            loop.context(), std::move(flow),
            [done = std::move(done)](std::exception_ptr failure, T value) mutable {
                done(std::move(failure), std::move(value));
            });
    };
    return await_completion<T>(std::move(start));
}

template <class T>
Flow<T> await_task(AsioLoop& loop, Task<T> task) {
    return boost::asio::async_initiate<const boost::asio::use_awaitable_t<AsioExecutor>&,
                                       void(std::exception_ptr, T)>(
        [](auto handler, AsioLoop& on, Task<T> begun) {
            start_task(on, std::move(begun),
                       [&on, handler = std::move(handler)](std::exception_ptr failure,
                                                           std::optional<T> value) mutable {
                           // Never inside the call that began it, which Asio forbids.
                           boost::asio::post(
                               on.context(),
                               [handler = std::move(handler), failure = std::move(failure),
                                value = value ? std::move(*value) : T{}]() mutable {
                                   std::move(handler)(std::move(failure), std::move(value));
                               });
                       });
        },
        use_flow, std::ref(loop), std::move(task));
}

inline Flow<> await_task(AsioLoop& loop, Task<> task) {
    co_await await_task(loop, [](Task<> inner) -> Task<Done> {
        co_await std::move(inner);
        co_return Done{};
    }(std::move(task)));
}

}  // namespace sluice
