#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/task.hpp"
#include "domain/deed.hpp"

namespace sluice {

/// The audit trail. A deed that changes something is written by the ledger that carries it out.
class TrailLedger {
  public:
    virtual ~TrailLedger() = default;

    struct Entry {
        Deed deed;
        std::string actor_name;  // the user's present one; empty for the command line
    };
    /// The newest first, older than `before` when given. May throw Outage.
    virtual Task<std::vector<Entry>> list(std::optional<DeedId> before, std::size_t limit) = 0;

    /// A deed that changes nothing, such as taking a list away. May throw Outage.
    virtual Task<Done> add(Deed deed) = 0;
};

}  // namespace sluice
