#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/timestamp.hpp"
#include "domain/notice.hpp"

namespace sluice {

/// The state of the hot copy of one sale's stock, as far as it is known.
struct HotCopyFinding {
    enum class State {
        none,      // the sale needs none, or nobody has looked yet
        cold,      // the sale needs a copy and has none, so it cannot sell
        warm,      // it agreed with the ledger when they were last compared
        drifting,  // it differs from the ledger, and was not filled anew yet
    };
    struct Drift {
        Timestamp seen_at;
        std::vector<Notice> differences;
    };
    State state = State::none;
    std::int64_t epoch = 0;                // 0 without a copy
    std::optional<Timestamp> cold_since;   // when cold
    std::optional<Timestamp> compared_at;  // when it last agreed with the ledger
    std::optional<Drift> drift;            // the last one, healed or not
    std::uint64_t drifts = 0;              // since this process first filled the copy
};

}  // namespace sluice
