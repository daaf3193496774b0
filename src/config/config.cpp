#include "config/config.hpp"

#include <algorithm>

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

bool Endpoint::is_loopback() const {
    const auto address = Address::parse(host);
    return host == "localhost" || (address && sluice::is_loopback(*address));
}

std::string Endpoint::text() const {
    const bool bracketed = host.find(':') != host.npos;
    return (bracketed ? '[' + host + ']' : host) + ':' + std::to_string(port);
}

std::size_t Config::connections_per_network(std::size_t all) const {
    if (http.connections_per_network > 0) return http.connections_per_network;
    return std::max<std::size_t>(1, all / 4);
}

}  // namespace sluice
