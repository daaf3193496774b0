#include "gate/day_limiter.hpp"

#include <algorithm>

namespace sluice::gate {

DayLimiter::Micros DayLimiter::wait(const Bound& bound, Instant now) {
    forget_some(now);
    const auto at = full_at_.find(bound.key);
    if (at == full_at_.end()) return full_at_.size() < most_keys_ ? Micros{0} : kWaitWhenFull;
    const auto used = std::max(std::chrono::duration_cast<Micros>(at->second - now), Micros{0});
    const auto window = bound.interval() * bound.per_day;
    return std::max(used + bound.interval() - window, Micros{0});
}

void DayLimiter::count(const Bound& bound, Instant now) {
    const auto at = full_at_.find(bound.key);
    const auto since = at == full_at_.end() ? now : std::max(at->second, now);
    set(bound.key, since + bound.interval());
}

void DayLimiter::correct(std::uint64_t key, Micros used, Instant now) {
    const auto at = full_at_.find(key);
    if (at != full_at_.end() && at->second < now + used) set(key, now + used);
}

/// A few with each call: more than come in, and nobody waits for many.
void DayLimiter::forget_some(Instant now) {
    for (std::size_t i = 0; i < kForgottenAtOnce; ++i) {
        if (in_order_.empty() || in_order_.begin()->first > now) return;
        full_at_.erase(in_order_.begin()->second);
        in_order_.erase(in_order_.begin());
    }
}

void DayLimiter::set(std::uint64_t key, Instant full_at) {
    if (const auto at = full_at_.find(key); at != full_at_.end()) {
        in_order_.erase({at->second, key});
        at->second = full_at;
    } else {
        full_at_.emplace(key, full_at);
    }
    in_order_.emplace(full_at, key);
}

}  // namespace sluice::gate
