#include "workers/message_courier.hpp"

#include <algorithm>

#include "base/backoff.hpp"

namespace sluice {

using std::chrono::milliseconds;

Task<milliseconds> MessageCourier::send_due() {
    while (!stopping_) {
        auto waiting = outbox_.take(clock_.now());
        if (!waiting) break;
        if (waiting->message.good_until <= clock_.now()) {
            give_up("too late");
            continue;
        }
        auto message = waiting->message;
        const auto answer = co_await sender_.send(std::move(message));
        conclude(std::move(*waiting), answer);
    }
    const auto next = outbox_.next_due();
    if (!next) co_return kLongestPause;
    co_return std::clamp(*next - clock_.now(), milliseconds{1}, kLongestPause);
}

void MessageCourier::conclude(MessageOutbox::Waiting waiting, const MessageSender::Answer& answer) {
    if (answer.sent == MessageSender::Sent::taken) {
        sent_.fetch_add(1, std::memory_order_relaxed);
        return;
    }
    if (answer.sent == MessageSender::Sent::refused || ++waiting.failures >= kTries)
        return give_up(answer.reason);
    constexpr Backoff backoff{.first = kFirstPause, .longest = kLongestPause};
    waiting.not_before = clock_.now() + backoff.after(waiting.failures - 1);
    if (!outbox_.put(std::move(waiting))) give_up("too many messages wait");
}

void MessageCourier::give_up(std::string_view reason) {
    given_up_.fetch_add(1, std::memory_order_relaxed);
    log_.warn("message.given_up", {{"reason", reason}});
}

}  // namespace sluice
