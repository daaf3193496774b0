#pragma once

#include <expected>
#include <string>
#include <vector>

namespace sluice {

/// Why the rules say no. Each one is a stable code of the API.
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
};

struct FieldError {
    std::string field;
    std::string message;

    friend bool operator==(const FieldError&, const FieldError&) = default;
};

/// A no that is part of the game: a value, never an exception.
struct Refusal {
    Reason reason;
    std::string detail = {};              // for people; the reason's usual text when empty
    std::vector<FieldError> errors = {};  // for Reason::invalid
};

template <class T>
using Outcome = std::expected<T, Refusal>;

inline std::unexpected<Refusal> refuse(Reason reason, std::string detail = {}) {
    return std::unexpected<Refusal>(Refusal{reason, std::move(detail), {}});
}

inline std::unexpected<Refusal> refuse(std::vector<FieldError> errors) {
    return std::unexpected<Refusal>(Refusal{Reason::invalid, {}, std::move(errors)});
}

}  // namespace sluice
