#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice {

/// The longest path of a socket file that the kernel accepts.
inline constexpr std::size_t kLongestSocketPath = 107;

/// scheme://authority, and what follows, as views into the text. It only splits the text: the
/// caller decides what each part may be.
struct UrlParts {
    std::string_view scheme;     // not empty
    std::string_view authority;  // up to the first of / ? #; may be empty
    std::string_view rest;       // from there on; may be empty

    static std::optional<UrlParts> split(std::string_view text);

    /// The rest up to its query.
    std::string_view path() const { return rest.substr(0, rest.find('?')); }
    /// The value of the query's only parameter, if that has this name; nullopt if there is no
    /// query, or another one.
    std::optional<std::string_view> only_parameter(std::string_view name) const;
    bool has_query() const { return rest.find('?') != rest.npos; }

    bool is_web() const { return scheme == "https" || scheme == "http"; }
};

/// host[:port], as it stands in a URL and in the configuration.
struct HostAndPort {
    std::string_view host;  // letters, digits, dots and hyphens, or an IPv6 address out of brackets
    std::optional<std::uint16_t> port;

    static std::optional<HostAndPort> parse(std::string_view text);
};

/// Where a request goes: http(s)://host[:port][/path][?query]. No user name or password, which
/// would end up in lists and logs; no fragment, which means nothing to a server.
struct WebUrl {
    static constexpr std::size_t kLongest = 2'048;

    bool secure = true;
    std::string host;  // a name or an address, without brackets
    std::uint16_t port = 443;
    std::string target;  // path and query

    static std::optional<WebUrl> parse(std::string_view text);

    /// In the form of the Host header.
    std::string authority() const;
};

}  // namespace sluice
