#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice {

/// Where the database is: mariadb://host[:port]/database, or
/// mariadb://localhost/database?socket=/path for a server on this machine. Who we are there is not
/// part of it: a password in a URL would end up in lists and logs.
struct LedgerUrl {
    std::string host;
    std::uint16_t port = 3306;
    std::string database;  // letters, digits and underscores
    std::string socket;    // empty: by host and port

    static std::optional<LedgerUrl> parse(std::string_view text);

    /// Whether what is sent stays on this machine.
    bool is_local() const;
};

}  // namespace sluice
