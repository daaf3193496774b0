#pragma once

#include <memory>

#include "base/outage.hpp"
#include "base/task.hpp"
#include "base/worker_threads.hpp"

namespace sluice {

/// Awaits `work()`, done by one of the threads; exceptions are passed on. Throws Overload with that
/// message when the queue is full.
template <class T, class Work>
Task<T> run_on(WorkerThreads& threads, const char* when_full, Work work) {
    return await_completion<T>(
        [&threads, when_full, work = std::move(work)](Completion<T> done) mutable {
            // Shared, since a job that is not taken must still be answered.
            auto completion = std::make_shared<Completion<T>>(std::move(done));
            const bool taken = threads.submit([completion, work = std::move(work)] {
                T result{};
                std::exception_ptr error;
                try {
                    result = work();
                } catch (...) {
                    error = std::current_exception();
                }
                (*completion)(error, std::move(result));
            });
            if (!taken) (*completion)(std::make_exception_ptr(Overload(when_full)), T{});
        });
}

}  // namespace sluice
