#pragma once

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "adapters/mariadb/engine/connection.hpp"
#include "ports/clock.hpp"

namespace sluice::mariadb {

/// A setting of the server would break one of our promises. Says which line to change.
class SettingsError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The server's settings.
struct ServerSettings {
    std::string version;
    std::int64_t flush_at_commit = 0;
    bool has_binlog = false;
    std::int64_t sync_binlog = 0;
    std::string binlog_format;
    std::int64_t largest_packet = 0;
    std::int64_t most_connections = 0;
    bool is_read_only = false;
    bool has_doublewrite = true;
    std::string sql_mode;  // of this connection
    std::string charset;   // of this connection
};
ServerSettings read_settings(Connection& connection);

/// Sentences with the line to change.
struct Findings {
    std::vector<std::string> errors;  // a confirmed order could be lost, or nothing works
    std::vector<std::string> warnings;
};
Findings judge(const ServerSettings& settings, std::size_t connections_needed);

/// The warnings. Throws SettingsError for the errors.
std::vector<std::string> check_settings(Connection& connection, std::size_t connections_needed);

/// For connections that are made while the program runs: after a failover the server may be another
/// one. Throws an Error, which counts as an outage.
void expect_promises_kept(Connection& connection);

/// By how much the server's clock is ahead of ours (negative if it is behind).
std::chrono::milliseconds clock_difference(Connection& connection, const Clock& ours);

}  // namespace sluice::mariadb
