#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/task.hpp"
#include "domain/deed.hpp"

namespace sluice {

/// The audit trail. A deed that changes something is written by the ledger that makes the change.
class TrailLedger {
  public:
    virtual ~TrailLedger() = default;

    struct Entry {
        Deed deed;
        std::string actor_name;  // the user's present one; empty for the command line
    };
    /// A filter that is left out does not filter.
    struct Wanted {
        std::optional<std::string> action{};  // one of them, such as sale.pause, or a kind: sale
        std::optional<UserId> actor{};
        bool by_command_line = false;  // only what was done there
        std::optional<std::string> subject{};
        std::optional<Timestamp> from{};   // done then or later
        std::optional<Timestamp> until{};  // done before
        std::optional<DeedId> before{};
    };
    /// The newest first. The cost follows the limit; with an action, an actor or a subject, at
    /// worst the number of deeds in that time. May throw Outage.
    virtual Task<std::vector<Entry>> list(Wanted wanted, std::size_t limit) = 0;

    /// Adds a deed that changes nothing, such as an export of a list. May throw Outage.
    virtual Task<Done> add(Deed deed) = 0;
};

}  // namespace sluice
