#pragma once

#include <cstdint>
#include <optional>

#include "domain/ids.hpp"

namespace sluice {

/// One row of a sale's hot outbox: a change that is committed in the ledger and that the hot copy
/// does not have yet. The rows of a sale are numbered without a gap, and are applied in that order.
struct HotChange {
    std::int64_t seq = 0;
    std::int64_t delta_left = 0;
    std::optional<UserId> buyer;  // with delta_units
    std::int64_t delta_units = 0;

    friend bool operator==(const HotChange&, const HotChange&) = default;
};

}  // namespace sluice
