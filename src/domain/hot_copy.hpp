#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/timestamp.hpp"

namespace sluice {

/// What is known of the hot copy of one sale's stock.
struct HotCopyFinding {
    enum class State {
        none,      // the sale is over and needs no copy, or nobody has looked yet
        cold,      // there should be a copy and is none: the sale cannot sell
        warm,      // it is there, and agreed with the ledger when they were last compared
        drifting,  // it differs from the ledger and has not been filled anew yet
    };
    struct Drift {
        Timestamp seen_at;
        std::string difference;
    };
    State state = State::none;
    std::int64_t epoch = 0;                // 0 without a copy
    std::optional<Timestamp> cold_since;   // when cold
    std::optional<Timestamp> compared_at;  // when it last agreed with the ledger
    std::optional<Drift> drift;            // the last one, healed or not
    std::uint64_t drifts = 0;              // since the copy was first filled by this process
};

}  // namespace sluice
