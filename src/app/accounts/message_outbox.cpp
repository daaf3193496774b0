#include "app/accounts/message_outbox.hpp"

#include <algorithm>

namespace sluice {

bool MessageOutbox::put(Waiting waiting) {
    {
        const MutexLock lock(mutex_);
        if (waiting_.size() >= kMost) return false;
        waiting_.push_back(std::move(waiting));
    }
    on_put_();
    return true;
}

std::optional<MessageOutbox::Waiting> MessageOutbox::take(Timestamp now) {
    const MutexLock lock(mutex_);
    const auto due =
        std::ranges::find_if(waiting_, [&](const Waiting& each) { return each.not_before <= now; });
    if (due == waiting_.end()) return std::nullopt;
    auto taken = std::move(*due);
    waiting_.erase(due);
    return taken;
}

std::optional<Timestamp> MessageOutbox::next_due() const {
    const MutexLock lock(mutex_);
    const auto first = std::ranges::min_element(waiting_, {}, &Waiting::not_before);
    if (first == waiting_.end()) return std::nullopt;
    return first->not_before;
}

std::size_t MessageOutbox::size() const {
    const MutexLock lock(mutex_);
    return waiting_.size();
}

}  // namespace sluice
