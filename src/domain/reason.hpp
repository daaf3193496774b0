#pragma once

namespace sluice {

/// Why the rules refuse. Each reason is a stable code of the API.
enum class Reason {
    not_found,
    unauthenticated,
    forbidden,
    invalid,
    conflict,
    ended,
    paused,
    not_started,
    sold_out,
    limit_reached,
    pass_invalid,
    gate_closed,
    idempotency_mismatch,
    busy,
    unavailable,
};

}  // namespace sluice
