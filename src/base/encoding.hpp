#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sluice {

using Bytes = std::span<const unsigned char>;

inline Bytes bytes_of(std::string_view text) {
    return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
}

std::string to_hex(Bytes);
std::string to_base64url(Bytes);
std::string to_base64(Bytes);  // padded, as in data URLs

/// Pairs of hex digits in any case; nullopt for anything else.
std::optional<std::string> from_hex(std::string_view);

/// Fills `out` completely from unpadded base64url, or returns false.
bool from_base64url(std::string_view text, std::span<unsigned char> out);

/// The bytes of text with %XX in a URL's path; nullopt for a broken escape or a NUL.
std::optional<std::string> percent_decode(std::string_view);

/// Whether it is valid UTF-8: nothing overlong, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view);

}  // namespace sluice
