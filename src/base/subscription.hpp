#pragma once

#include <functional>
#include <utility>

namespace sluice {

/// Callbacks that are called until this ends. Keep it no longer than what the callbacks use.
class [[nodiscard]] Subscription {
  public:
    Subscription() = default;
    explicit Subscription(std::move_only_function<void()> unsubscribe)
        : unsubscribe_(std::move(unsubscribe)) {}
    Subscription(Subscription&& other) noexcept
        : unsubscribe_(std::exchange(other.unsubscribe_, nullptr)) {}
    Subscription& operator=(Subscription&& other) noexcept {
        if (this == &other) return *this;
        end();
        unsubscribe_ = std::exchange(other.unsubscribe_, nullptr);
        return *this;
    }
    ~Subscription() { end(); }

    /// Once it has returned, the callbacks are not under way and are never called again.
    void end() {
        if (auto unsubscribe = std::exchange(unsubscribe_, nullptr)) unsubscribe();
    }

  private:
    std::move_only_function<void()> unsubscribe_;
};

}  // namespace sluice
