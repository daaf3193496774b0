#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "contract/ledgers.hpp"

namespace sluice::contract {

/// Two processes on one store at once, with the sale of OrderContract: the promises of each port
/// hold between them too.
class TwoClientsContract : public OrderContract {
  protected:
    Ledgers::Client other = ledgers->second();

    /// Begins both, then waits for both.
    template <class A, class B>
    std::pair<A, B> at_once(Task<A> first, Task<B> second) {
        std::optional<A> one;
        std::optional<B> two;
        begin(std::move(first), one);
        begin(std::move(second), two);
        loop.run();
        return {std::move(one.value()), std::move(two.value())};
    }
    template <class T>
    std::vector<T> all_at_once(std::vector<Task<T>> tasks) {
        std::vector<std::optional<T>> results(tasks.size());
        for (std::size_t i = 0; i < tasks.size(); ++i) begin(std::move(tasks[i]), results[i]);
        loop.run();
        std::vector<T> values;
        for (auto& result : results) values.push_back(std::move(result.value()));
        return values;
    }

    /// Nothing is lost or counted twice, and the outbox has no gap.
    void expect_books_in_order();

    std::size_t deeds_written();

  private:
    template <class T>
    void begin(Task<T> task, std::optional<T>& result) {
        loop.spawn(std::move(task), [&result](std::exception_ptr failure, T value) {
            EXPECT_FALSE(failure);
            if (!failure) result.emplace(std::move(value));
        });
    }
};

}  // namespace sluice::contract
