#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace sluice {

/// An instant on the wall clock, in UTC, as exact as the API shows it.
using Timestamp = std::chrono::sys_time<std::chrono::milliseconds>;

inline constexpr std::size_t kTimestampLength = 24;  // 2026-11-11T20:00:00.000Z

/// RFC 3339 in UTC with milliseconds.
std::string to_rfc3339(Timestamp);

/// Writes exactly kTimestampLength characters to `out`.
void write_rfc3339(Timestamp, char* out) noexcept;

/// Accepts any RFC 3339 offset and up to nine fractional digits (cut to milliseconds), years 1970
/// to 9999. Refuses everything else: a missing offset, spaces, impossible dates.
std::optional<Timestamp> parse_rfc3339(std::string_view);

inline constexpr std::int64_t to_millis(Timestamp t) {
    return t.time_since_epoch().count();
}
inline constexpr Timestamp from_millis(std::int64_t ms) {
    return Timestamp{std::chrono::milliseconds{ms}};
}

}  // namespace sluice
