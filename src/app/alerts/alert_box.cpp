#include "app/alerts/alert_box.hpp"

#include <algorithm>
#include <vector>

#include "base/outage.hpp"

namespace sluice {
namespace {

constexpr std::chrono::minutes kRateWindow{1};

AlertBox::Answer not_tried(std::string reason) {
    return {AlertChannel::Told::try_again, std::move(reason)};
}

}  // namespace

void AlertBox::put(AlertMessage message, Timestamp now) {
    {
        const MutexLock lock(mutex_);
        if (is_closed_) return;
        if (waiting_.size() - tests_ >= kMost) {
            waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(tests_));
            ++figures_.failed;
            figures_.last_failure = Failure{now, "too many alerts wait"};
        }
        waiting_.push_back(Waiting{std::move(message), now, 0, nullptr});
    }
    wake_();
}

void AlertBox::put_back(Waiting waiting) {
    const MutexLock lock(mutex_);
    if (is_closed_) return;
    if (waiting_.size() - tests_ >= kMost)
        ++figures_.failed;
    else
        waiting_.push_back(std::move(waiting));
}

Task<AlertBox::Answer> AlertBox::test(AlertMessage message) {
    auto start = [this, message = std::move(message)](Completion<Answer> tell) mutable {
        Heard heard = [tell = std::move(tell)](Answer answer) mutable {
            tell(nullptr, std::move(answer));
        };
        if (put_test(std::move(message), heard)) return wake_();
        heard(not_tried(
            "too many tests wait, too much was sent within a minute, or the server ends"));
    };
    return await_completion<Answer>(std::move(start));
}

bool AlertBox::put_test(AlertMessage message, Heard& heard) {
    const MutexLock lock(mutex_);
    forget_taken(message.alert.at);
    if (is_closed_ || tests_ >= kMostTests || taken_.size() >= kPerMinute) return false;
    const auto place = waiting_.begin() + static_cast<std::ptrdiff_t>(tests_);
    waiting_.insert(place, Waiting{std::move(message), Timestamp{}, 0, std::move(heard)});
    ++tests_;
    return true;
}

/// Forgets those that are too old to count. A time in the future comes from a clock that was set
/// back since.
void AlertBox::forget_taken(Timestamp now) {
    std::erase_if(taken_, [&](Timestamp at) { return at > now || now - at >= kRateWindow; });
}

std::optional<AlertBox::Waiting> AlertBox::take(Timestamp now) {
    const MutexLock lock(mutex_);
    forget_taken(now);
    if (is_closed_ || taken_.size() >= kPerMinute) return std::nullopt;
    const auto due =
        std::ranges::find_if(waiting_, [&](const Waiting& each) { return each.not_before <= now; });
    if (due == waiting_.end()) return std::nullopt;
    auto found = std::move(*due);
    waiting_.erase(due);
    if (found.heard) --tests_;
    taken_.push_back(now);
    return found;
}

std::optional<Timestamp> AlertBox::next_due() const {
    const MutexLock lock(mutex_);
    const auto first = std::ranges::min_element(waiting_, {}, &Waiting::not_before);
    if (first == waiting_.end()) return std::nullopt;
    if (taken_.size() < kPerMinute) return first->not_before;
    return std::max<Timestamp>(first->not_before, taken_.front() + kRateWindow);
}

void AlertBox::note_sent(Timestamp now) {
    const MutexLock lock(mutex_);
    ++figures_.sent;
    figures_.last_sent = now;
}

void AlertBox::note_failure(Timestamp now, std::string reason) {
    const MutexLock lock(mutex_);
    figures_.last_failure = Failure{now, std::move(reason)};
}

void AlertBox::note_given_up() {
    const MutexLock lock(mutex_);
    ++figures_.failed;
}

void AlertBox::close() {
    std::deque<Waiting> left;
    {
        const MutexLock lock(mutex_);
        is_closed_ = true;
        tests_ = 0;
        left.swap(waiting_);
    }
    for (auto& each : left)
        if (each.heard) each.heard(not_tried("the server ends"));
}

AlertBox::Figures AlertBox::figures() const {
    const MutexLock lock(mutex_);
    auto figures = figures_;
    figures.waiting = waiting_.size();
    return figures;
}

}  // namespace sluice
