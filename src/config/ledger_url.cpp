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
    const auto rest = parts->rest.substr(1);
    const auto mark = std::min(rest.find('?'), rest.size());
    url.database = rest.substr(0, mark);
    if (!is_database_name(url.database)) return std::nullopt;
    if (mark == rest.size()) return url;
    constexpr std::string_view kSocket = "?socket=/";
    const auto query = rest.substr(mark);
    if (!query.starts_with(kSocket) || url.host != "localhost" || at->port) return std::nullopt;
    url.socket = query.substr(kSocket.size() - 1);
    if (url.socket.size() > kLongestSocketPath || url.socket.find('&') != url.socket.npos)
        return std::nullopt;
    return url;
}

bool LedgerUrl::is_local() const {
    return !socket.empty() || Endpoint{host, 0}.is_loopback();
}

}  // namespace sluice
