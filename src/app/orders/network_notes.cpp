#include "app/orders/network_notes.hpp"

#include <algorithm>

namespace sluice {

void NetworkNotes::note(const TicketId& ticket, const Address& from) {
    const MutexLock lock(mutex_);
    if (notes_.size() < kMost) notes_.push_back({ticket, from});
}

Task<> NetworkNotes::write_some() {
    auto some = first_notes();
    const auto count = some.size();
    if (count == 0) co_return;
    co_await ledger_.note(std::move(some));
    // Only now: what could not be written waits where it is, before those that came meanwhile.
    const MutexLock lock(mutex_);
    notes_.erase(notes_.begin(), notes_.begin() + static_cast<std::ptrdiff_t>(count));
}

Task<> NetworkNotes::write_last() {
    for (int round = 0; round < kLastRounds && waiting() > 0; ++round) co_await write_some();
}

std::size_t NetworkNotes::waiting() const {
    const MutexLock lock(mutex_);
    return notes_.size();
}

std::vector<HoldNetwork> NetworkNotes::first_notes() const {
    const auto now = clock_.now();
    std::vector<HoldNetwork> some;
    const MutexLock lock(mutex_);
    const auto count = std::min(notes_.size(), kAtOnce);
    some.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        some.push_back({notes_[i].ticket, household_of(notes_[i].from), now});
    return some;
}

}  // namespace sluice
