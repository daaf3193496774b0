#include "workers/hold_expirer.hpp"

namespace sluice {
namespace {

/// The longest sleep there is; whoever runs the expirer cuts it to its own bound.
constexpr std::chrono::milliseconds kLongSleep = std::chrono::hours{1};

}  // namespace

Task<std::chrono::milliseconds> HoldExpirer::expire_due() {
    for (;;) {
        // Until the ledger has answered any order may be the next: one that is committed while it
        // is asked wakes us for another round.
        sleeps_until_ = kForEver;
        if (!is_time_sure_()) co_return kLongSleep;
        const auto next = co_await ledger_.next_due();
        if (!next) co_return kLongSleep;
        const auto now = clock_.now();
        if (*next > now) {
            sleeps_until_ = to_millis(*next);
            co_return *next - now;
        }
        const bool progress = co_await expire_some(now);
        if (!progress) co_return kLongSleep;
    }
}

/// False when nothing that is due can be expired.
Task<bool> HoldExpirer::expire_some(Timestamp now) {
    auto expired = co_await ledger_.expire(now, kBite);
    const auto first = expired.stuck.empty() ? std::nullopt : std::optional(expired.stuck.front());
    if (first && std::exchange(told_of_, first) != first)
        log_.error("order.stuck", {{"orders", expired.stuck.size()},
                                   {"first", expired.stuck.front().text()},
                                   {"reason", "its units are not where they should be"}});
    const bool progress = !expired.moves.empty();
    co_await gate_.apply(std::move(expired.moves));
    co_return progress;
}

}  // namespace sluice
