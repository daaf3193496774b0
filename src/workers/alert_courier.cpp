#include "workers/alert_courier.hpp"

#include <algorithm>

#include "base/backoff.hpp"

namespace sluice {

using std::chrono::milliseconds;

Task<milliseconds> AlertCourier::send_due() {
    while (auto waiting = box_.take(clock_.now())) {
        auto message = waiting->message;
        auto answer = co_await channel_.tell(std::move(message));
        conclude(std::move(*waiting), std::move(answer));
    }
    const auto next = box_.next_due();
    if (!next) co_return kLongestPause;
    co_return std::clamp(*next - clock_.now(), milliseconds{1}, kLongestPause);
}

void AlertCourier::conclude(AlertBox::Waiting waiting, AlertChannel::Answer answer) {
    const auto now = clock_.now();
    const bool is_taken = answer.told == AlertChannel::Told::taken;
    if (is_taken)
        box_.note_sent(now);
    else
        box_.note_failure(now, answer.reason);
    if (waiting.heard) {
        if (!is_taken) box_.note_given_up();
        return waiting.heard(std::move(answer));
    }
    if (!is_taken) fail(std::move(waiting), answer);
}

void AlertCourier::fail(AlertBox::Waiting waiting, const AlertChannel::Answer& answer) {
    if (answer.told == AlertChannel::Told::try_again && ++waiting.failures < kTries) {
        constexpr Backoff backoff{.first = kFirstPause, .longest = kLongestPause};
        waiting.not_before = clock_.now() + backoff.after(waiting.failures - 1);
        return box_.put_back(std::move(waiting));
    }
    box_.note_given_up();
    log_.warn("alert.given_up", {{"channel", box_.name()},
                                 {"kind", to_string(waiting.message.alert.kind)},
                                 {"reason", answer.reason}});
}

}  // namespace sluice
