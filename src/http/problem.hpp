#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "domain/refusal.hpp"
#include "http/language.hpp"
#include "http/response.hpp"

namespace sluice::http {

/// Every way in which the API refuses. The names are the stable `code` of the problem.
enum class Code {
    malformed,
    unauthenticated,
    second_factor,
    forbidden,
    second_factor_missing,
    buyer_blocked,
    address_blocked,
    csrf,
    pass_invalid,
    challenge_failed,
    not_listed,
    not_found,
    method_not_allowed,
    conflict,
    ended,
    not_started,
    sold_out,
    limit_reached,
    too_large,
    header_too_large,
    unsupported_media_type,
    invalid,
    idempotency_mismatch,
    upgrade_required,
    rate_limited,
    gate_closed,
    internal,
    paused,
    busy,
    unavailable,
    read_only,        // unavailable, but for reading
    outcome_unknown,  // unavailable, and the outcome is not known yet
};

inline constexpr std::size_t kCodes = static_cast<std::size_t>(Code::outcome_unknown) + 1;

int status_of(Code);
std::string_view name_of(Code);
/// All of them, in their order: the labels in the metrics of refusals.
std::vector<std::string> code_names();

/// How to phrase it for this caller.
struct ProblemContext {
    Language language = Language::en;
    std::string_view request_id;
};

/// Makes the response an RFC 9457 problem with the code's own text. Allocates nothing once the
/// response's buffers have grown.
void write_problem(Response&, Code, const ProblemContext&);

/// The same with more details: a text in place of the usual one, and what is wrong with which
/// field.
void write_problem(Response&, Code, const ProblemContext&, std::string_view detail,
                   const std::vector<FieldError>& errors = {});

/// too_large for a body, with the number of bytes that would be taken.
void write_too_large(Response&, const ProblemContext&, std::size_t most_bytes);

/// As a Retry-After header.
void write_retry_after(Response&, int seconds);

}  // namespace sluice::http
