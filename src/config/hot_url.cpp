#include "config/hot_url.hpp"

#include <charconv>

#include "base/ascii.hpp"
#include "base/web_url.hpp"
#include "config/config.hpp"

namespace sluice {
namespace {

constexpr int kMostDatabases = 1'000;

std::optional<int> parse_database(std::string_view digits) {
    int number = 0;
    const auto* const end = digits.data() + digits.size();
    const auto [at, error] = std::from_chars(digits.data(), end, number);
    if (error != std::errc{} || at != end || number < 0 || number >= kMostDatabases)
        return std::nullopt;
    return number;
}

std::optional<HotUrl> parse_socket(const UrlParts& parts) {
    HotUrl url;
    url.socket = parts.path();
    if (url.socket.size() < 2 || url.socket.size() > kLongestSocketPath) return std::nullopt;
    if (!parts.has_query()) return url;
    const auto database = parts.only_parameter("db").and_then(parse_database);
    if (!database) return std::nullopt;
    url.database = *database;
    return url;
}

}  // namespace

std::optional<HotUrl> HotUrl::parse(std::string_view text) {
    if (!is_visible_ascii(text)) return std::nullopt;
    const auto parts = UrlParts::split(text);
    if (!parts) return std::nullopt;
    if (parts->scheme == "unix")
        return parts->authority.empty() ? parse_socket(*parts) : std::nullopt;
    if (parts->scheme != "redis" && parts->scheme != "rediss") return std::nullopt;
    const auto at = HostAndPort::parse(parts->authority);
    if (!at || at->port == 0 || !is_plausible_host(at->host)) return std::nullopt;
    HotUrl url;
    url.host = at->host;
    url.port = at->port.value_or(url.port);
    url.is_tls = parts->scheme == "rediss";
    if (parts->rest.empty() || parts->rest == "/") return url;
    if (!parts->rest.starts_with('/')) return std::nullopt;
    const auto database = parse_database(parts->rest.substr(1));
    if (!database) return std::nullopt;
    url.database = *database;
    return url;
}

bool HotUrl::is_local() const {
    return !socket.empty() || Endpoint{host, 0}.is_loopback();
}

}  // namespace sluice
