#include "base/shop_time.hpp"

#include <algorithm>

namespace sluice {
namespace {

using Duration = ShopTime::Duration;

bool can_be_continued(const std::optional<FormerTime>& former, ClockReading start,
                      Duration oldest) {
    return former && former->same_boot && former->boot <= start.boot &&
           start.boot - former->boot <= oldest;
}

}  // namespace

ShopTime::ShopTime(const Rules& rules, ClockReading start, std::optional<FormerTime> former)
    : rules_(rules),
      started_(start.boot),
      continues_(can_be_continued(former, start, rules.oldest_former)),
      last_record_(former ? former->shop : Duration{}),
      offset_(continues_ ? former->shop - former->boot : start.wall - start.boot),
      seen_(start.boot) {
    look(start);
}

ShopTime::Event ShopTime::observe(ClockReading reading) {
    const auto elapsed = std::max(Duration{}, reading.boot - seen_);
    const auto target = reading.wall - reading.boot;
    const auto before = state_;
    auto event = Event::none;
    seen_ = reading.boot;
    look(reading);
    if (abs(target - offset_) <= rules_.tolerance) {
        state_ = State::agrees;
        approach(target, elapsed);
        if (before != State::agrees) event = Event::agrees;
    } else if (before == State::agrees || abs(target - suspect_) > rules_.tolerance) {
        state_ = State::suspected;
        suspect_ = target;
        since_ = reading.boot;
        event = Event::suspected;
    } else if (before == State::following) {
        approach(target, elapsed);
    } else if (is_quick(reading) && reading.boot - since_ >= rules_.quick_patience) {
        before_move_ = std::max(before_move_, reading.boot + offset_);
        state_ = State::agrees;
        offset_ = target;
        event = Event::moved;
    } else if (reading.boot - since_ >= rules_.patience) {
        state_ = State::following;
        event = Event::following;
    }
    look(reading);
    return event;
}

/// Whether the time of the start was wrong and the wall clock has been set right since. A time that
/// is evidently too early is wrong whenever it is set. Otherwise it shows while the time is
/// unproven, and before anybody relied on it; a machine that has just started is more likely wrong
/// than right. Going back cuts no hold short. Going forward would, so it is believed only from a
/// time that has been passed before.
bool ShopTime::is_quick(ClockReading reading) const {
    const auto shop = reading.boot + offset_;
    if (shop < kNeverBefore.time_since_epoch() && reading.wall >= kNeverBefore.time_since_epoch())
        return true;
    const bool is_young = started_ < rules_.young_machine;
    if (!is_unproven_ || (relied_ && !is_young)) return false;
    return reading.wall < shop || shop < std::max(last_record_, before_move_);
}

void ShopTime::approach(Duration target, Duration elapsed) {
    const auto most = elapsed / kSlewDivisor;
    offset_ += std::clamp(target - offset_, -most, most);
}

void ShopTime::look(ClockReading reading) {
    const auto shop = reading.boot + offset_;
    difference_ = reading.wall - shop;
    behind_record_ = std::max(Duration{}, last_record_ - rules_.tolerance - shop);
    is_unproven_ = !continues_ && reading.boot - started_ < rules_.unproven;
}

}  // namespace sluice
