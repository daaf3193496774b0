#include "config/config.hpp"

#include "base/web_url.hpp"

namespace sluice {

bool is_plausible_host(std::string_view host) {
    const bool looks_like_address = host.find_first_not_of("0123456789.") == host.npos;
    return !looks_like_address || Address::parse(host);
}

std::optional<Endpoint> Endpoint::parse(std::string_view text) {
    const auto at = HostAndPort::parse(text);
    if (!at || !at->port || !is_plausible_host(at->host)) return std::nullopt;
    return Endpoint{std::string(at->host), *at->port};
}

std::string Endpoint::text() const {
    const bool bracketed = host.find(':') != host.npos;
    return (bracketed ? '[' + host + ']' : host) + ':' + std::to_string(port);
}

}  // namespace sluice
