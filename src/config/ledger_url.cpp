#include "config/ledger_url.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/web_url.hpp"
#include "config/config.hpp"

namespace sluice {
namespace {

constexpr std::size_t kLongestName = 64;  // of a database

bool is_database_name(std::string_view text) {
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_';
    };
    return !text.empty() && text.size() <= kLongestName && std::ranges::all_of(text, allowed);
}

}  // namespace

std::optional<LedgerUrl> LedgerUrl::parse(std::string_view text) {
    if (!is_visible_ascii(text)) return std::nullopt;
    const auto parts = UrlParts::split(text);
    if (!parts || parts->scheme != "mariadb" || !parts->rest.starts_with('/')) return std::nullopt;
    const auto at = HostAndPort::parse(parts->authority);
    if (!at || at->port == 0 || !is_plausible_host(at->host)) return std::nullopt;
    LedgerUrl url;
    url.host = at->host;
    url.port = at->port.value_or(url.port);
    url.database = parts->path().substr(1);
    if (!is_database_name(url.database)) return std::nullopt;
    if (!parts->has_query()) return url;
    const auto socket = parts->only_parameter("socket");
    if (!socket || url.host != "localhost" || at->port) return std::nullopt;
    url.socket = *socket;
    if (!url.socket.starts_with('/') || url.socket.size() > kLongestSocketPath) return std::nullopt;
    return url;
}

bool LedgerUrl::is_local() const {
    return !socket.empty() || Endpoint{host, 0}.is_loopback();
}

}  // namespace sluice
