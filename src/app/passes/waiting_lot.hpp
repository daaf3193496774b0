#pragma once

#include <optional>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/timestamp.hpp"
#include "domain/ids.hpp"
#include "ports/random.hpp"

namespace sluice {

/// Buyers who wait for the same thing. It is given out by lot: each has the same chance, however
/// early or often they asked. Not safe from several threads: its owner locks.
class WaitingLot {
  public:
    /// When 100,000 buyers wait, nobody new is added; they may ask again.
    static constexpr std::size_t kMost = 100'000;

    struct Waiter {
        UserId buyer;
        Timestamp until;
    };

    /// The buyer waits until then. False when there is no room.
    bool put(UserId buyer, Timestamp until, Timestamp now);

    void erase(UserId buyer);

    /// Draws one of those whose time is not over, and removes them.
    std::optional<Waiter> draw(Random& random, Timestamp now);

    /// Forgets everybody whose time is over.
    void purge(Timestamp now);

    /// The time of some of them may be over.
    std::size_t size() const { return waiters_.size(); }

  private:
    void remove_at(std::size_t at);

    std::vector<Waiter> waiters_;
    boost::unordered_flat_map<UserId, std::size_t, std::hash<UserId>> places_;  // in waiters_
};

}  // namespace sluice
