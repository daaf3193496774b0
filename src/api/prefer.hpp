#pragma once

#include <chrono>
#include <string_view>

namespace sluice::api {

inline constexpr std::string_view kPrefer = "Prefer";
inline constexpr std::chrono::seconds kLongestWait{10};

/// How long a client will wait for a final answer (`Prefer: wait=N`, RFC 7240), at most
/// kLongestWait. A malformed preference is ignored.
std::chrono::seconds preferred_wait(std::string_view header);

}  // namespace sluice::api
