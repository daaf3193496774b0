#include "config/config.hpp"

#include <algorithm>
#include <charconv>

namespace sluice {
namespace {

bool is_host_name(std::string_view text) {
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '.' || c == '-';
    };
    return !text.empty() && text.size() <= 253 && std::ranges::all_of(text, allowed);
}

/// Four numbers with dots that are no address are a slip of the pen, not a name to look up.
bool looks_like_address(std::string_view text) {
    return text.find_first_not_of("0123456789.") == text.npos;
}

}  // namespace

std::optional<Endpoint> Endpoint::parse(std::string_view text) {
    const auto colon = text.rfind(':');
    if (colon == text.npos) return std::nullopt;

    const auto digits = text.substr(colon + 1);
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;

    auto host = text.substr(0, colon);
    if (host.starts_with('[') && host.ends_with(']')) {
        host = host.substr(1, host.size() - 2);
        if (host.find(':') == host.npos || !Address::parse(host)) return std::nullopt;
    } else if (!is_host_name(host) || (looks_like_address(host) && !Address::parse(host))) {
        return std::nullopt;
    }
    return Endpoint{std::string(host), port};
}

std::string Endpoint::text() const {
    const bool bracketed = host.find(':') != host.npos;
    return (bracketed ? '[' + host + ']' : host) + ':' + std::to_string(port);
}

}  // namespace sluice
