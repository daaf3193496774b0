#include "config/config.hpp"

#include <algorithm>

#include "base/web_url.hpp"

namespace sluice {

bool is_plausible_host(std::string_view host) {
    const bool looks_like_address = host.find_first_not_of("0123456789.") == host.npos;
    return !looks_like_address || Address::parse(host);
}

bool is_web_address(std::string_view text) {
    const auto parts = UrlParts::split(text);
    if (!parts || !parts->is_web() || !parts->rest.empty()) return false;
    const auto at = HostAndPort::parse(parts->authority);
    return at && is_plausible_host(at->host) && at->port != 0;
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

std::vector<std::string> Roles::names() const {
    std::vector<std::string> names;
    if (edge) names.emplace_back("edge");
    if (writer) names.emplace_back("writer");
    if (keeper) names.emplace_back("keeper");
    return names;
}

std::size_t Config::connections_per_network(std::size_t all) const {
    // A sixteenth, which is an office of 170 browsers with six connections each. In a small house
    // an office of five, as long as that is no more than a quarter.
    constexpr std::size_t small_office = 32;
    if (http.connections_per_network > 0) return http.connections_per_network;
    return std::max<std::size_t>({1, all / 16, std::min(all / 4, small_office)});
}

bool Config::sends_codes_anywhere() const {
    if (sms.countries.empty()) return accounts.country.empty();
    return std::ranges::find(sms.countries, kAllCountries) != sms.countries.end();
}

PhoneCountries Config::code_countries() const {
    if (sends_codes_anywhere()) return {};
    if (sms.countries.empty()) return PhoneCountries({find_country(accounts.country)});
    std::vector<const Country*> countries;
    for (const auto& each : sms.countries) countries.push_back(find_country(each));
    return PhoneCountries(std::move(countries));
}

}  // namespace sluice
