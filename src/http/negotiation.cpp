#include "http/negotiation.hpp"

#include <array>
#include <optional>

#include <sodium.h>

#include "base/encoding.hpp"
#include "http/request.hpp"

namespace sluice::http {
namespace {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blank = " \t";
    const auto begin = text.find_first_not_of(blank);
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

std::string_view take_until(std::string_view& rest, char separator) {
    const auto end = rest.find(separator);
    const auto part = rest.substr(0, end);
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    return trimmed(part);
}

/// `q=0`, `q=0.` and `q=0.000` say no; any other weight says yes.
bool has_weight_zero(std::string_view parameters) {
    while (!parameters.empty()) {
        auto value = take_until(parameters, ';');
        const auto name = take_until(value, '=');
        if (!equals_ignoring_case(name, "q")) continue;
        value = trimmed(value);
        return value.starts_with('0') && value.find_first_not_of("0.") == value.npos;
    }
    return false;
}

std::string_view without_weakness(std::string_view etag) {
    if (etag.starts_with("W/")) etag.remove_prefix(2);
    return etag;
}

}  // namespace

bool accepts_coding(std::string_view accept_encoding, std::string_view coding) {
    bool others = false;
    while (!accept_encoding.empty()) {
        auto parameters = take_until(accept_encoding, ',');
        const auto name = take_until(parameters, ';');
        if (equals_ignoring_case(name, coding)) return !has_weight_zero(parameters);
        if (name == "*") others = !has_weight_zero(parameters);
    }
    return others;
}

std::string etag_of(std::string_view content) {
    std::array<unsigned char, 16> digest{};
    crypto_generichash(digest.data(), digest.size(), bytes_of(content).data(), content.size(),
                       nullptr, 0);
    return "W/\"" + to_hex(digest) + '"';
}

bool is_known(std::string_view if_none_match, std::string_view etag) {
    // Ours has no comma in it, so a list can be taken apart at commas.
    while (!if_none_match.empty()) {
        const auto known = take_until(if_none_match, ',');
        if (known == "*" || (!known.empty() && without_weakness(known) == without_weakness(etag)))
            return true;
    }
    return false;
}

}  // namespace sluice::http
