#include "base/encoding.hpp"

#include <array>
#include <cstdint>

#include <sodium.h>

namespace sluice {
namespace {

constexpr unsigned char kNoLetter = 0xff;

/// A value for each letter. Libsodium's decoder takes the same time for every letter, which was the
/// most expensive step of a refusal. It hides nothing here, since whoever sends a text knows it.
constexpr auto kSextets = [] {
    constexpr std::string_view letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    std::array<unsigned char, 256> sextets;
    sextets.fill(kNoLetter);
    for (std::size_t i = 0; i < letters.size(); ++i)
        sextets[static_cast<unsigned char>(letters[i])] = static_cast<unsigned char>(i);
    return sextets;
}();

std::string encode(Bytes bytes, int variant) {
    std::string text(sodium_base64_encoded_len(bytes.size(), variant), '\0');
    sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(), variant);
    text.pop_back();
    return text;
}

int nibble(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

}  // namespace

std::string to_hex(Bytes bytes) {
    std::string text(bytes.size() * 2 + 1, '\0');
    sodium_bin2hex(text.data(), text.size(), bytes.data(), bytes.size());
    text.pop_back();
    return text;
}

std::string to_base64url(Bytes bytes) {
    return encode(bytes, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

std::string to_base64(Bytes bytes) {
    return encode(bytes, sodium_base64_VARIANT_ORIGINAL);
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
    // The bits that are left over are zero, or several texts would decode to the same bytes.
    return (bits & ((1u << count) - 1)) == 0;
}

std::optional<std::string> from_hex(std::string_view text) {
    if (text.size() % 2 != 0) return std::nullopt;
    std::string bytes;
    bytes.reserve(text.size() / 2);
    for (std::size_t i = 0; i < text.size(); i += 2) {
        const int high = nibble(text[i]), low = nibble(text[i + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        bytes.push_back(static_cast<char>(high * 16 + low));
    }
    return bytes;
}

std::optional<std::string> percent_decode(std::string_view text) {
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

bool is_utf8(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
    };
    for (std::size_t i = 0; i < text.size();) {
        const unsigned lead = byte(i);
        const std::size_t length = lead < 0x80                   ? 1
                                   : lead >= 0xc2 && lead < 0xe0 ? 2
                                   : lead >= 0xe0 && lead < 0xf0 ? 3
                                   : lead >= 0xf0 && lead < 0xf5 ? 4
                                                                 : 0;
        if (length == 0) return false;
        for (std::size_t k = 1; k < length; ++k)
            if ((byte(i + k) & 0xc0) != 0x80) return false;
        const unsigned second = byte(i + 1);
        const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
        const bool beyond = (lead == 0xed && second >= 0xa0) || (lead == 0xf4 && second >= 0x90);
        if (overlong || beyond) return false;
        i += length;
    }
    return true;
}

}  // namespace sluice
