#include "base/web_url.hpp"

#include <algorithm>
#include <charconv>

#include "base/address.hpp"
#include "base/ascii.hpp"

namespace sluice {
namespace {

constexpr std::size_t kLongestHost = 253;

bool is_host_name(std::string_view text) {
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '.' || c == '-';
    };
    return !text.empty() && text.size() <= kLongestHost && std::ranges::all_of(text, allowed);
}

bool is_v6(std::string_view text) {
    return text.find(':') != text.npos && Address::parse(text);
}

std::optional<std::uint16_t> parse_port(std::string_view digits) {
    std::uint16_t port = 0;
    const auto* last = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), last, port);
    if (error != std::errc{} || end != last) return std::nullopt;
    return port;
}

}  // namespace

std::optional<UrlParts> UrlParts::split(std::string_view text) {
    const auto colon = text.find("://");
    if (colon == text.npos || colon == 0) return std::nullopt;
    const auto behind = text.substr(colon + 3);
    const auto end = std::min(behind.find_first_of("/?#"), behind.size());
    return UrlParts{text.substr(0, colon), behind.substr(0, end), behind.substr(end)};
}

std::optional<std::string_view> UrlParts::only_parameter(std::string_view name) const {
    auto query = rest.substr(path().size());
    if (query.empty()) return std::nullopt;
    query.remove_prefix(1);
    if (!query.starts_with(name) || query.find('&') != query.npos) return std::nullopt;
    query.remove_prefix(name.size());
    if (!query.starts_with('=')) return std::nullopt;
    return query.substr(1);
}

std::optional<HostAndPort> HostAndPort::parse(std::string_view text) {
    HostAndPort parts{text, std::nullopt};
    const auto colon = text.rfind(':');
    if (colon != text.npos && !text.ends_with(']')) {
        parts.port = parse_port(text.substr(colon + 1));
        if (!parts.port) return std::nullopt;
        parts.host = text.substr(0, colon);
    }
    if (is_host_name(parts.host)) return parts;
    if (!parts.host.starts_with('[') || !parts.host.ends_with(']')) return std::nullopt;
    parts.host = parts.host.substr(1, parts.host.size() - 2);
    if (!is_v6(parts.host)) return std::nullopt;
    return parts;
}

std::optional<WebUrl> WebUrl::parse(std::string_view text) {
    if (text.size() > kLongest || !is_visible_ascii(text)) return std::nullopt;
    const auto parts = UrlParts::split(text);
    if (!parts || !parts->is_web() || parts->rest.find('#') != text.npos) return std::nullopt;
    const auto at = HostAndPort::parse(parts->authority);
    if (!at || at->port == 0 || at->host.starts_with('.') || at->host.starts_with('-'))
        return std::nullopt;
    WebUrl url;
    url.secure = parts->scheme == "https";
    url.host = at->host;
    url.port = at->port.value_or(url.secure ? 443 : 80);
    url.target = parts->rest;
    if (!url.target.starts_with('/')) url.target.insert(0, "/");
    return url;
}

std::string WebUrl::authority() const {
    auto text = host.find(':') == host.npos ? host : "[" + host + "]";
    if (port != (secure ? 443 : 80)) text += ":" + std::to_string(port);
    return text;
}

}  // namespace sluice
