#include "workers/hold_expirer.hpp"

#include <algorithm>

namespace sluice {
namespace {

/// The longest sleep. The worker that runs the expirer limits it further.
constexpr std::chrono::milliseconds kLongSleep = std::chrono::hours{1};

}  // namespace

Task<std::chrono::milliseconds> HoldExpirer::expire_due() {
    begin_look(clock_.now());
    for (;;) {
        // Until the ledger has answered, any order may be due next: an order that is committed
        // while the ledger is asked wakes us for another round.
        sleeps_until_ = kForEver;
        if (!is_time_sure_()) co_return kLongSleep;
        const auto next = co_await ledger_.next_due(passed_);
        const auto now = clock_.now();
        if (!next || *next > now) {
            end_look();
            if (next) sleeps_until_ = to_millis(*next);
            co_return sleep_for(now, next);
        }
        co_await expire_some(now);
    }
}

/// Starts from the beginning, unless orders that are stuck there were looked at within the last
/// minute. New orders are due later than any that were due before, so none comes in front of that
/// place. If a clock was set back, the next minute finds them.
void HoldExpirer::begin_look(Timestamp now) {
    if (now < look_again_at_ && look_again_at_ - now <= kTryAgain) return;
    passed_ = {};
    found_stuck_ = 0;
    first_stuck_.reset();
}

Task<> HoldExpirer::expire_some(Timestamp now) {
    auto expired = co_await ledger_.expire(now, kAtOnce, passed_);
    if (!expired.stuck.empty()) {
        if (!first_stuck_) {
            first_stuck_ = expired.stuck.front();
            look_again_at_ = now + kTryAgain;
        }
        found_stuck_ += expired.stuck.size();
        passed_ = expired.last;
    }
    for (const auto sale : expired.sales) co_await outbox_.catch_up(sale);
}

void HoldExpirer::end_look() {
    stuck_ = found_stuck_;
    if (first_stuck_ && std::exchange(reported_, first_stuck_) != first_stuck_)
        log_.error("order.stuck", {{"orders", found_stuck_},
                                   {"first", first_stuck_->text()},
                                   {"reason", "its units are not where they should be"}});
}

std::chrono::milliseconds HoldExpirer::sleep_for(Timestamp now,
                                                 std::optional<Timestamp> next) const {
    auto sleep = next ? *next - now : kLongSleep;
    if (first_stuck_)
        sleep = std::min(sleep, std::max(look_again_at_ - now, std::chrono::milliseconds{0}));
    return sleep;
}

}  // namespace sluice
