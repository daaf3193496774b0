#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice {

/// Where a request goes: http(s)://host[:port][/path][?query]. No user name or password, which
/// would end up in lists and logs; no fragment, which means nothing to a server.
struct WebUrl {
    static constexpr std::size_t kLongest = 2'048;

    bool secure = true;
    std::string host;  // a name or an address, without brackets
    std::uint16_t port = 443;
    std::string target;  // path and query

    static std::optional<WebUrl> parse(std::string_view text);

    /// As the Host header has it.
    std::string authority() const;
};

}  // namespace sluice
