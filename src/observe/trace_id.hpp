#pragma once

#include <algorithm>
#include <string_view>

namespace sluice {

/// The trace-id of a W3C traceparent (version-trace-parent-flags), which joins our log lines to
/// those of other services; empty when the header is not valid.
inline std::string_view trace_id(std::string_view traceparent) noexcept {
    constexpr std::size_t kLength = 55;
    if (traceparent.size() < kLength || traceparent[2] != '-' || traceparent[35] != '-' ||
        traceparent[52] != '-')
        return {};
    const auto id = traceparent.substr(3, 32);
    const bool hex = std::ranges::all_of(
        id, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
    const bool zero = std::ranges::all_of(id, [](char c) { return c == '0'; });
    return hex && !zero ? id : std::string_view{};
}

}  // namespace sluice
