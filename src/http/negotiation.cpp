#include "http/negotiation.hpp"

#include <array>
#include <optional>

#include <sodium.h>

#include "base/ascii.hpp"
#include "base/encoding.hpp"
#include "http/request.hpp"

namespace sluice::http {
namespace {

std::string_view take_until(std::string_view& rest, char separator) {
    const auto end = rest.find(separator);
    const auto part = rest.substr(0, end);
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    return trim(part);
}

/// From `0` to `1`, with a fraction whose first three digits count.
int read_weight(std::string_view text) {
    if (text.empty() || (text.size() > 1 && text[1] != '.')) return 0;
    int weight = 0, thousandths = 1000;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i == 1) continue;
        if (text[i] < '0' || text[i] > '9') return 0;
        weight += (text[i] - '0') * thousandths;
        thousandths /= 10;
    }
    return weight <= 1000 ? weight : 0;
}

/// The weight of this name in a list of names with weights: nothing when it is not in the list.
std::optional<int> named_weight(std::string_view list, std::string_view wanted) {
    while (!list.empty()) {
        auto parameters = take_until(list, ',');
        const auto name = take_until(parameters, ';');
        if (equals_ignoring_case(name, wanted)) return weight_of(parameters);
    }
    return std::nullopt;
}

std::string_view without_weakness(std::string_view etag) {
    if (etag.starts_with("W/")) etag.remove_prefix(2);
    return etag;
}

}  // namespace

int weight_of(std::string_view parameters) {
    while (!parameters.empty()) {
        auto value = take_until(parameters, ';');
        const auto name = take_until(value, '=');
        if (!equals_ignoring_case(name, "q")) continue;
        return read_weight(trim(value));
    }
    return 1000;
}

std::string_view choose_coding(std::string_view accept_encoding,
                               std::initializer_list<std::string_view> offered) {
    const int others = named_weight(accept_encoding, "*").value_or(0);
    std::string_view chosen;
    int most = named_weight(accept_encoding, "identity").value_or(others);
    for (const auto coding : offered) {
        const int weight = named_weight(accept_encoding, coding).value_or(others);
        const bool better = chosen.empty() ? weight >= most : weight > most;
        if (coding.empty() || weight == 0 || !better) continue;
        chosen = coding;
        most = weight;
    }
    return chosen;
}

bool accepts_type(std::string_view accept, std::string_view type) {
    return named_weight(accept, type).value_or(0) > 0;
}

std::string etag_of(std::string_view content) {
    std::array<unsigned char, 16> digest{};
    crypto_generichash(digest.data(), digest.size(), bytes_of(content).data(), content.size(),
                       nullptr, 0);
    return "W/\"" + to_hex(digest) + '"';
}

bool is_known(std::string_view if_none_match, std::string_view etag) {
    // Our ETags contain no comma, so the list can be split at commas.
    while (!if_none_match.empty()) {
        const auto known = take_until(if_none_match, ',');
        if (known == "*" || (!known.empty() && without_weakness(known) == without_weakness(etag)))
            return true;
    }
    return false;
}

}  // namespace sluice::http
