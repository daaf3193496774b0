#pragma once

#include <algorithm>
#include <string_view>

namespace sluice {

/// Below the space character, or DEL. Bytes beyond ASCII, as in UTF-8, are not control characters.
constexpr bool is_control(char c) {
    return (c >= 0 && c < ' ') || c == 0x7f;
}

/// Letters, digits and signs only: no space, no control character, nothing beyond ASCII.
constexpr bool is_visible_ascii(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f; });
}

constexpr char to_lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

/// Without spaces and tabs at both ends.
constexpr std::string_view trim(std::string_view text) {
    constexpr std::string_view blank = " \t";
    const auto begin = text.find_first_not_of(blank);
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

}  // namespace sluice
