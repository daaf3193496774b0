#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice {

/// Where a Redis listens: redis://host[:port][/db], rediss://host[:port][/db] for TLS, or
/// unix:///path[?db=N] for a socket file. Who we are there is not part of it: a password in a URL
/// would end up in lists and logs.
struct HotUrl {
    std::string socket;  // empty: by host and port
    std::string host;
    std::uint16_t port = 6379;
    int database = 0;
    bool is_tls = false;

    static std::optional<HotUrl> parse(std::string_view text);

    /// Whether what is sent stays on this machine.
    bool is_local() const;
};

}  // namespace sluice
