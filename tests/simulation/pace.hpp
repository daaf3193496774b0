#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/timestamp.hpp"
#include "domain/ids.hpp"
#include "gate/rates.hpp"
#include "simulation/chance.hpp"

namespace sluice::simulation {

/// Checks the promise of a rate limit: nobody gets more than a burst and the steady pace after it,
/// and whoever waits as they were told is let in. Another process, or another limit, counts anew.
class Pace {
  public:
    explicit Pace(gate::Quota quota) : quota_(quota) {}
    static Pace draw(Chance& chance);

    /// Each returns what is wrong.
    std::optional<std::string> note_let_in(UserId buyer, Timestamp at);
    std::optional<std::string> note_told_to_wait(UserId buyer, Timestamp at,
                                                 std::chrono::microseconds wait);

    gate::Quota quota() const { return quota_; }

  private:
    gate::Quota quota_;
    std::map<UserId, std::vector<Timestamp>> let_in_;
    std::map<UserId, Timestamp> come_again_;  // since they were last let in
};

}  // namespace sluice::simulation
