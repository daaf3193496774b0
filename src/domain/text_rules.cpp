#include "domain/text_rules.hpp"

#include <algorithm>

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

}  // namespace sluice
