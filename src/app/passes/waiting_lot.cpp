#include "app/passes/waiting_lot.hpp"

#include <cstring>

namespace sluice {
namespace {

/// A number below `bound`. The bias of the remainder is far too small to matter.
std::size_t random_below(std::size_t bound, Random& random) {
    std::array<unsigned char, 8> bytes;
    random.fill(bytes);
    std::uint64_t number = 0;
    std::memcpy(&number, bytes.data(), sizeof number);
    return number % bound;
}

}  // namespace

bool WaitingLot::put(UserId buyer, Timestamp until, Timestamp now) {
    if (const auto known = places_.find(buyer); known != places_.end()) {
        waiters_[known->second].until = until;
        return true;
    }
    if (waiters_.size() >= kMost) purge(now);
    if (waiters_.size() >= kMost) return false;
    places_.emplace(buyer, waiters_.size());
    waiters_.push_back({buyer, until});
    return true;
}

void WaitingLot::erase(UserId buyer) {
    if (const auto known = places_.find(buyer); known != places_.end()) remove_at(known->second);
}

std::optional<WaitingLot::Waiter> WaitingLot::draw(Random& random, Timestamp now) {
    while (!waiters_.empty()) {
        const auto at = random_below(waiters_.size(), random);
        const auto drawn = waiters_[at];
        remove_at(at);
        if (drawn.until > now) return drawn;
    }
    return std::nullopt;
}

void WaitingLot::purge(Timestamp now) {
    for (std::size_t at = waiters_.size(); at-- > 0;)
        if (waiters_[at].until <= now) remove_at(at);
}

void WaitingLot::remove_at(std::size_t at) {
    places_.erase(waiters_[at].buyer);
    if (at + 1 != waiters_.size()) {
        waiters_[at] = waiters_.back();
        places_[waiters_[at].buyer] = at;
    }
    waiters_.pop_back();
}

}  // namespace sluice
