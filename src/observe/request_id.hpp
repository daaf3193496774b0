#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace sluice {

inline constexpr std::size_t kRequestIdLength = 16;

/// Names requests with 16 hexadecimal digits. One object for each thread, each with a random seed:
/// within one, no id comes twice; two ids of different objects are equal as rarely as random 64-bit
/// numbers. They are names, not secrets: from one id the next can be computed.
class RequestIds {
  public:
    explicit RequestIds(std::uint64_t seed) noexcept : state_(seed) {}

    void next(std::span<char, kRequestIdLength> out) noexcept {
        std::uint64_t bits = mixed(state_++);
        for (char& digit : out) {
            digit = "0123456789abcdef"[bits >> 60];
            bits <<= 4;
        }
    }

  private:
    /// Each step can be undone, so different inputs stay different.
    static constexpr std::uint64_t mixed(std::uint64_t x) noexcept {
        x = (x ^ x >> 32) * 0x9e3779b97f4a7c15;
        x = (x ^ x >> 29) * 0xd6e8feb86659fd93;
        return x ^ x >> 32;
    }

    std::uint64_t state_;
};

/// Whether an id that a client sent may be used in logs and headers: [A-Za-z0-9._-]{1,64}.
inline bool acceptable_request_id(std::string_view id) noexcept {
    return !id.empty() && id.size() <= 64 && std::ranges::all_of(id, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '.' || c == '_' || c == '-';
    });
}

}  // namespace sluice
