#include "http/language.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "http/negotiation.hpp"

namespace sluice::http {
namespace {

bool is_language(std::string_view range, std::string_view language) {
    if (range.size() < 2) return false;
    const bool same = (range[0] | 0x20) == language[0] && (range[1] | 0x20) == language[1];
    return same && (range.size() == 2 || range[2] == '-');
}

}  // namespace

Language preferred_language(std::string_view header) {
    int en = 0, zh = 0;
    while (!header.empty()) {
        const auto comma = header.find(',');
        const auto entry = header.substr(0, comma);
        header.remove_prefix(comma == header.npos ? header.size() : comma + 1);
        const auto semicolon = entry.find(';');
        const auto range = trim(entry.substr(0, semicolon));
        const int q = semicolon == entry.npos ? 1000 : weight_of(entry.substr(semicolon + 1));
        if (range == "*" || is_language(range, "en")) en = std::max(en, q);
        if (is_language(range, "zh")) zh = std::max(zh, q);
    }
    return zh > en ? Language::zh : Language::en;
}

}  // namespace sluice::http
