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
      began_in_doubt_(!continues_ || !former->relied_on),
      last_record_(former && !continues_ ? former->shop : Duration{}),
      offset_(continues_ ? former->shop - former->boot : start.wall - start.boot),
      seen_(start.boot) {
    look(start);
}

ShopTime::Event ShopTime::observe(ClockReading reading, Stakes stakes) {
    const auto elapsed = std::max(Duration{}, reading.boot - seen_);
    const auto target = reading.wall - reading.boot;
    const auto before = state_;
    auto event = Event::none;
    seen_ = reading.boot;
    if (abs(target - offset_) <= rules_.tolerance) {
        state_ = State::agrees;
        approach(target, elapsed);
        if (before != State::agrees) event = Event::agrees;
    } else if (before == State::agrees || abs(target - suspect_) > rules_.tolerance) {
        state_ = State::suspected;
        suspect_ = target;
        since_ = reading.boot;
        event = Event::suspected;
    } else if (may_be_set(reading, stakes)) {
        set(reading);
        event = Event::moved;
    } else if (before == State::following) {
        approach(target, elapsed);
    } else if (reading.boot - since_ >= rules_.patience) {
        state_ = State::following;
        event = Event::following;
    }
    look(reading);
    return event;
}

bool ShopTime::is_in_doubt() const {
    if (!began_in_doubt_ || confirmed_) return false;
    return !relied_ || since_ - started_ < rules_.fresh_start;
}

/// Whether the suspected step corrects a wrong start and may be followed at once.
///
/// Setting the time forward ends holds early and opens sales, which cannot be undone. Setting it
/// back ends no hold early, but closes sales. A step that is taken back within a minute must do
/// neither. So a few seconds are enough only when the step is evidently a correction, or when
/// nothing in the shop would notice it. Otherwise it has to last for the whole patience, and before
/// the time goes forward all holds have to be over.
bool ShopTime::may_be_set(ClockReading reading, Stakes stakes) const {
    const auto lasted = reading.boot - since_;
    const bool lasts = lasted >= rules_.patience;
    if (!lasts && lasted < rules_.quick_patience) return false;

    const auto shop = reading.boot + offset_;
    const auto never = kNeverBefore.time_since_epoch();
    if (shop < never && reading.wall >= never) return true;
    if (!is_in_doubt()) return false;

    const bool goes_back = reading.wall < shop;
    const bool is_promised = relied_ && stakes.promises;
    if (is_promised) return goes_back && (reading.synchronised || is_just_booted());
    if (is_evident(reading)) return true;
    if (!stakes.promises && !stakes.due) return true;
    if (goes_back) return lasts || may_be_open_too_early();
    return lasts && !stakes.promises;
}

/// Whether something besides the wall clock shows that the wall clock is right now: the kernel says
/// so; or the shop's time was behind the record and the wall clock is not; or a step was followed
/// too soon and is taken back within a minute.
bool ShopTime::is_evident(ClockReading reading) const {
    if (reading.synchronised) return true;
    if (reading.boot + offset_ < last_record_ && last_record_ <= reading.wall) return true;
    return move_ && since_ - move_->at < rules_.patience &&
           abs(suspect_ - move_->from) <= rules_.tolerance;
}

/// The clock of a machine that has just started is more likely wrong than right. If it was ahead,
/// sales are open that should not be, so we do not wait for a minute to close them.
bool ShopTime::may_be_open_too_early() const {
    const bool is_young = started_ < rules_.young_machine;
    return !continues_ && since_ - started_ < (is_young ? rules_.fresh_start : rules_.unproven);
}

/// So likely to be wrong that the time is set back although somebody was promised something.
bool ShopTime::is_just_booted() const {
    return !continues_ && started_ < rules_.young_machine && since_ - started_ < rules_.unproven;
}

void ShopTime::set(ClockReading reading) {
    move_ = Move{.at = reading.boot, .from = offset_};
    state_ = State::agrees;
    offset_ = reading.wall - reading.boot;
}

void ShopTime::approach(Duration target, Duration elapsed) {
    const auto most = elapsed / kSlewDivisor;
    offset_ += std::clamp(target - offset_, -most, most);
}

void ShopTime::look(ClockReading reading) {
    const auto shop = reading.boot + offset_;
    difference_ = reading.wall - shop;
    behind_record_ = std::max(Duration{}, last_record_ - rules_.tolerance - shop);
    if (reading.synchronised && abs(difference_) <= rules_.tolerance) confirmed_ = true;
    is_unproven_ = !continues_ && !confirmed_ && has_yet_to_prove(reading.boot);
}

/// A step that begins before the time is proven has to end first.
bool ShopTime::has_yet_to_prove(Duration boot) const {
    const auto proven_at = move_ ? move_->at + rules_.unproven
                                 : std::max(started_ + rules_.unproven, rules_.young_machine);
    return boot < proven_at || (state_ == State::suspected && since_ < proven_at);
}

}  // namespace sluice
