#include "base/printable.hpp"

#include <algorithm>
#include <cstdint>

namespace sluice {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct Character {
    std::size_t length = 1;
    bool shown = false;
};

/// The first character of a text whose first byte is 0x80 or above.
Character front_of(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
    if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < length) return {};
    std::uint32_t code = byte(0) & (0x7Fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return {};
        code = code << 6 | (byte(i) & 0x3Fu);
    }
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (overlong || surrogate || code > 0x10FFFF) return {};
    const bool c1_control = code < 0xA0;
    const bool ends_line = code == 0x2028 || code == 0x2029;
    return {length, !c1_control && !ends_line};
}

}  // namespace

std::string printable(std::string_view text) {
    const auto is_plain = [](unsigned char c) { return c < 0x7F; };
    if (std::ranges::all_of(text, is_plain)) return std::string(text);

    std::string result;
    while (!text.empty()) {
        const auto first = static_cast<unsigned char>(text.front());
        const auto character = first < 0x80 ? Character{1, is_plain(first)} : front_of(text);
        result += character.shown ? text.substr(0, character.length) : kReplacement;
        text.remove_prefix(character.length);
    }
    return result;
}

}  // namespace sluice
