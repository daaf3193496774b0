#pragma once

#include <chrono>
#include <coroutine>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace sluice {

/// Where coroutines are resumed: an event loop, or what replaces one in a test.
class Executor {
  public:
    virtual ~Executor() = default;
    /// Calls `work` on the loop's thread, after what was posted before. From any thread.
    virtual void post(std::move_only_function<void()> work) = 0;

    /// If it is destroyed before its time, it does not ring.
    class Alarm {
      public:
        virtual ~Alarm() = default;
    };
    /// Calls `ring` on the loop's thread, that much later. On the loop's thread only.
    virtual std::unique_ptr<Alarm> set_alarm(std::chrono::milliseconds after,
                                             std::move_only_function<void()> ring) = 0;
};

/// The result of a Task that has nothing else to return.
struct Done {};

/// With this, work on another thread reports its outcome: called once, from any thread. If it is
/// destroyed without having been called, the waiting coroutine never goes on, and is destroyed.
template <class T>
using Completion = std::move_only_function<void(std::exception_ptr, T)>;

template <class T = void>
class Task;

namespace detail {

/// What all coroutines of one chain share: the loop that they run on, and the outermost coroutine,
/// which owns the others.
struct Chain {
    Executor* executor = nullptr;
    std::coroutine_handle<> root;
};

struct PromiseBase {
    Chain* chain = nullptr;
    std::coroutine_handle<> continuation;
    std::exception_ptr failure;

    std::suspend_always initial_suspend() const noexcept { return {}; }
    void unhandled_exception() { failure = std::current_exception(); }

    struct Final {
        bool await_ready() const noexcept { return false; }
        template <class Promise>
        std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> done) const noexcept {
            return done.promise().continuation;
        }
        void await_resume() const noexcept {}
    };
    Final final_suspend() const noexcept { return {}; }
};

template <class T>
struct Promise : PromiseBase {
    std::optional<T> value;

    Task<T> get_return_object();
    template <class U>
        requires std::is_convertible_v<U&&, T>
    void return_value(U&& returned) {
        value.emplace(std::forward<U>(returned));
    }
    T take() {
        if (failure) std::rethrow_exception(failure);
        return std::move(*value);
    }
};

template <>
struct Promise<void> : PromiseBase {
    Task<void> get_return_object();
    void return_void() const {}
    void take() const {
        if (failure) std::rethrow_exception(failure);
    }
};

}  // namespace detail

/// The one coroutine type: lazy, awaited once, resumed on the event loop it was started on.
template <class T>
class [[nodiscard]] Task {
  public:
    using promise_type = detail::Promise<T>;
    using Handle = std::coroutine_handle<promise_type>;

    explicit Task(Handle handle) : handle_(handle) {}
    Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Task& operator=(Task&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Task() {
        if (handle_) handle_.destroy();
    }

    bool await_ready() const noexcept { return false; }
    template <class Awaiting>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Awaiting> awaiting) noexcept {
        handle_.promise().chain = awaiting.promise().chain;
        handle_.promise().continuation = awaiting;
        return handle_;
    }
    T await_resume() { return handle_.promise().take(); }

  private:
    Handle handle_;
};

namespace detail {

template <class T>
Task<T> Promise<T>::get_return_object() {
    return Task<T>(std::coroutine_handle<Promise<T>>::from_promise(*this));
}
inline Task<void> Promise<void>::get_return_object() {
    return Task<void>(std::coroutine_handle<Promise<void>>::from_promise(*this));
}

/// The outermost coroutine of a chain: runs at once, and destroys itself at its end.
struct Root {
    struct promise_type {
        detail::Chain own;
        detail::Chain* chain = &own;

        template <class... Arguments>
        explicit promise_type(Executor& executor, Arguments&...) {
            own = {&executor, std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        Root get_return_object() const { return {}; }
        std::suspend_never initial_suspend() const noexcept { return {}; }
        std::suspend_never final_suspend() const noexcept { return {}; }
        void return_void() const {}
        void unhandled_exception() const { std::terminate(); }
    };
};

template <class T, class Then>
Root run_root(Executor&, Task<T> task, Then then) {
    std::exception_ptr failure;
    if constexpr (std::is_void_v<T>) {
        try {
            co_await std::move(task);
        } catch (...) {
            failure = std::current_exception();
        }
        then(failure);
    } else {
        std::optional<T> value;
        try {
            value.emplace(co_await std::move(task));
        } catch (...) {
            failure = std::current_exception();
        }
        then(failure, std::move(value));
    }
}

/// The waiting end of a Completion. Whichever side is last frees it.
template <class T>
struct Wait {
    std::coroutine_handle<> waiting;
    Chain* chain;
    std::exception_ptr failure;
    std::optional<T> value;
};

/// Resumes the waiting coroutine on its loop, or destroys its chain there if it was never called.
/// With `is_on_loop` this is called on that loop's thread, and resumes at once.
template <class T, bool is_on_loop>
class Resume {
  public:
    explicit Resume(Wait<T>& wait) : wait_(&wait) {}
    Resume(Resume&& other) noexcept : wait_(std::exchange(other.wait_, nullptr)) {}
    Resume& operator=(Resume&&) = delete;
    ~Resume() {
        if (!wait_) return;
        wait_->chain->executor->post([root = wait_->chain->root] { root.destroy(); });
    }
    void operator()(std::exception_ptr failure, T value) {
        auto* const wait = std::exchange(wait_, nullptr);
        wait->failure = std::move(failure);
        wait->value.emplace(std::move(value));
        if constexpr (is_on_loop)
            wait->waiting.resume();
        else
            wait->chain->executor->post([waiting = wait->waiting] { waiting.resume(); });
    }

  private:
    Wait<T>* wait_;
};

/// Always a variable of the awaiting coroutine, never a temporary: GCC 12 copies awaited
/// temporaries byte by byte.
template <class T, bool is_on_loop, class Start>
struct CompletionAwaiter {
    explicit CompletionAwaiter(Start begin) : start(std::move(begin)) {}
    CompletionAwaiter(const CompletionAwaiter&) = delete;
    CompletionAwaiter& operator=(const CompletionAwaiter&) = delete;

    Start start;
    Wait<T> wait{};

    bool await_ready() const noexcept { return false; }
    template <class Awaiting>
    void await_suspend(std::coroutine_handle<Awaiting> awaiting) {
        wait.waiting = awaiting;
        wait.chain = awaiting.promise().chain;
        start(Completion<T>(Resume<T, is_on_loop>(wait)));
    }
    T await_resume() {
        if (wait.failure) std::rethrow_exception(wait.failure);
        return std::move(*wait.value);
    }
};

struct ExecutorAwaiter {
    Executor* executor = nullptr;

    bool await_ready() const noexcept { return false; }
    template <class Awaiting>
    bool await_suspend(std::coroutine_handle<Awaiting> awaiting) noexcept {
        executor = awaiting.promise().chain->executor;
        return false;
    }
    Executor& await_resume() const noexcept { return *executor; }
};

}  // namespace detail

/// Awaits `start(completion)`: the caller is resumed on its own event loop, wherever the
/// completion was called.
template <class T, class Start>
Task<T> await_completion(Start start) {
    detail::CompletionAwaiter<T, false, Start> awaiter(std::move(start));
    co_return co_await awaiter;
}

/// The same, when the completion is called later on the caller's own loop: it resumes the caller at
/// once, without another post.
template <class T, class Start>
Task<T> await_own_loop(Start start) {
    detail::CompletionAwaiter<T, true, Start> awaiter(std::move(start));
    co_return co_await awaiter;
}

/// `co_await own_executor()`: the loop that the caller runs on.
inline detail::ExecutorAwaiter own_executor() {
    return {};
}

/// Runs a task from here on, on the loop's thread. At its end `then` is called with the failure, if
/// any, and else with the value, if the task has one.
template <class T, class Then>
void start_task(Executor& executor, Task<T> task, Then then) {
    detail::run_root(executor, std::move(task), std::move(then));
}

}  // namespace sluice
