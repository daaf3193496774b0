#include "base/web_url.hpp"

#include <algorithm>
#include <charconv>

#include "base/address.hpp"

namespace sluice {
namespace {

constexpr std::size_t kLongestHost = 253;

bool take(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

bool is_name(std::string_view host) {
    return !host.empty() && host.size() <= kLongestHost && host.front() != '.' &&
           host.front() != '-' && std::ranges::all_of(host, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '.' || c == '-';
           });
}

bool is_bracketed_address(std::string_view host) {
    if (host.size() < 4 || !host.starts_with('[') || !host.ends_with(']')) return false;
    host = host.substr(1, host.size() - 2);
    return host.find(':') != host.npos && Address::parse(host);
}

std::optional<std::uint16_t> parse_port(std::string_view digits) {
    std::uint16_t port = 0;
    const auto* last = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), last, port);
    if (error != std::errc{} || end != last || port == 0) return std::nullopt;
    return port;
}

}  // namespace

std::optional<WebUrl> WebUrl::parse(std::string_view text) {
    const bool clean = std::ranges::all_of(text, [](char c) { return c > 0x20 && c < 0x7f; });
    if (!clean || text.size() > kLongest || text.find('#') != text.npos) return std::nullopt;
    WebUrl url;
    if (!take(text, "https://")) {
        if (!take(text, "http://")) return std::nullopt;
        url.secure = false;
        url.port = 80;
    }
    const auto end = std::min(text.find_first_of("/?"), text.size());
    auto host = text.substr(0, end);
    url.target = text.substr(end);
    if (!url.target.starts_with('/')) url.target.insert(0, "/");
    const auto colon = host.rfind(':');
    if (colon != host.npos && !host.ends_with(']')) {
        const auto port = parse_port(host.substr(colon + 1));
        if (!port) return std::nullopt;
        url.port = *port;
        host = host.substr(0, colon);
    }
    if (is_bracketed_address(host))
        host = host.substr(1, host.size() - 2);
    else if (!is_name(host))
        return std::nullopt;
    url.host = host;
    return url;
}

std::string WebUrl::authority() const {
    auto text = host.find(':') == host.npos ? host : "[" + host + "]";
    if (port != (secure ? 443 : 80)) text += ":" + std::to_string(port);
    return text;
}

}  // namespace sluice
