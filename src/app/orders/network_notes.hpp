#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "base/address.hpp"
#include "base/mutex.hpp"
#include "ports/clock.hpp"
#include "ports/hold_network_ledger.hpp"

namespace sluice {

/// From where tickets were bought, on its way into the ledger. A purchase only adds a note in
/// memory. The notes are written beside the purchases, so many in a round and no more, so that a
/// rush is not slower for them. Safe from any thread; its memory is bounded.
class NetworkNotes {
  public:
    /// Notes that wait. Past that new ones are dropped: those orders count for the network of their
    /// buyer's log-in.
    static constexpr std::size_t kMost = 200'000;
    /// Written in one transaction.
    static constexpr std::size_t kAtOnce = 500;
    static constexpr std::chrono::milliseconds kPace{500};
    static constexpr int kLastRounds = 20;

    NetworkNotes(HoldNetworkLedger& ledger, const Clock& clock) : ledger_(ledger), clock_(clock) {}

    void note(const TicketId& ticket, const Address& from) EXCLUDES(mutex_);

    /// One bite, to be called each kPace. Throws Outage or Overload; then the notes wait for the
    /// next call.
    Task<> write_some();
    /// What waits at the end of the process: some thousands, and no more, since it has to end.
    Task<> write_last();

    std::size_t waiting() const EXCLUDES(mutex_);

  private:
    struct Note {
        TicketId ticket;
        Address from;
    };
    std::vector<HoldNetwork> first_notes() const EXCLUDES(mutex_);

    HoldNetworkLedger& ledger_;
    const Clock& clock_;
    mutable Mutex mutex_;
    std::deque<Note> notes_ GUARDED_BY(mutex_);  // the oldest first
};

}  // namespace sluice
