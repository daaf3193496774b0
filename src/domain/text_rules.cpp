#include "domain/text_rules.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"

namespace sluice {

std::size_t count_characters(std::string_view utf8) {
    return static_cast<std::size_t>(
        std::ranges::count_if(utf8, [](unsigned char c) { return (c & 0xc0) != 0x80; }));
}

bool has_control_characters(std::string_view utf8, bool multiline) {
    return std::ranges::any_of(utf8, [&](char c) {
        const bool fits = multiline && (c == '\n' || c == '\r' || c == '\t');
        return is_control(c) && !fits;
    });
}

std::string_view trimmed(std::string_view utf8) {
    constexpr std::array<std::string_view, 3> kBlanks{" ", "\u00a0", "\u3000"};
    for (bool shorter = true; shorter;) {
        shorter = false;
        for (const auto blank : kBlanks) {
            if (utf8.starts_with(blank)) {
                utf8.remove_prefix(blank.size());
                shorter = true;
            } else if (utf8.ends_with(blank)) {
                utf8.remove_suffix(blank.size());
                shorter = true;
            }
        }
    }
    return utf8;
}

}  // namespace sluice
