#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/task.hpp"
#include "domain/deed.hpp"

namespace sluice {

/// The audit trail, as it is read: deeds are written by the ledger that carries them out.
class TrailLedger {
  public:
    virtual ~TrailLedger() = default;

    struct Entry {
        Deed deed;
        std::string actor_name;
    };
    /// The newest first, older than `before` when given. May throw Outage.
    virtual Task<std::vector<Entry>> list(std::optional<DeedId> before, std::size_t limit) = 0;
};

}  // namespace sluice
