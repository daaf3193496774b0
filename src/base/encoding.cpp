#include "base/encoding.hpp"

#include <array>
#include <cstdint>

#include <sodium.h>

namespace sluice {
namespace {

constexpr unsigned char kNoLetter = 0xff;

/// By letter. Libsodium's decoder takes as long for any letter as for any other: that was the
/// dearest step of a refusal, and hides nothing here, since whoever sends a text knows it.
constexpr auto kSextets = [] {
    constexpr std::string_view letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    std::array<unsigned char, 256> sextets;
    sextets.fill(kNoLetter);
    for (std::size_t i = 0; i < letters.size(); ++i)
        sextets[static_cast<unsigned char>(letters[i])] = static_cast<unsigned char>(i);
    return sextets;
}();

}  // namespace

std::string to_hex(Bytes bytes) {
    std::string text(bytes.size() * 2 + 1, '\0');
    sodium_bin2hex(text.data(), text.size(), bytes.data(), bytes.size());
    text.pop_back();
    return text;
}

std::string to_base64url(Bytes bytes) {
    constexpr int variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
    std::string text(sodium_base64_encoded_len(bytes.size(), variant), '\0');
    sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(), variant);
    text.pop_back();
    return text;
}

bool from_base64url(std::string_view text, std::span<unsigned char> out) {
    if (text.size() != (out.size() * 8 + 5) / 6) return false;
    std::uint32_t bits = 0;
    int count = 0;
    auto at = out.begin();
    for (const char c : text) {
        const auto sextet = kSextets[static_cast<unsigned char>(c)];
        if (sextet == kNoLetter) return false;
        bits = bits << 6 | sextet;
        count += 6;
        if (count < 8) continue;
        count -= 8;
        *at++ = static_cast<unsigned char>(bits >> count);
    }
    // What is left over is zero, or several texts would be the same bytes.
    return (bits & ((1u << count) - 1)) == 0;
}

std::optional<std::string> percent_decode(std::string_view text) {
    const auto nibble = [](char c) -> int {
        if (c >= '0' && c <= '9') return c - '0';
        if (c >= 'a' && c <= 'f') return c - 'a' + 10;
        if (c >= 'A' && c <= 'F') return c - 'A' + 10;
        return -1;
    };
    std::string decoded;
    decoded.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == '%') {
            if (i + 2 >= text.size()) return std::nullopt;
            const int high = nibble(text[i + 1]), low = nibble(text[i + 2]);
            if (high < 0 || low < 0) return std::nullopt;
            c = static_cast<char>(high * 16 + low);
            i += 2;
        }
        if (c == '\0') return std::nullopt;
        decoded.push_back(c);
    }
    return decoded;
}

}  // namespace sluice
