#include "adapters/mariadb/engine/server_settings.hpp"

#include <charconv>
#include <utility>

#include <errmsg.h>

#include "adapters/mariadb/engine/own_statements.hpp"
#include "adapters/sql/rows.hpp"

namespace sluice::mariadb {
namespace {

constexpr std::pair<int, int> kOldest{10, 6};
constexpr std::int64_t kLeastPacket = std::int64_t{4} << 20;

std::pair<int, int> version_of(const std::string& text) {
    int major = 0;
    int minor = 0;
    const auto* end = text.data() + text.size();
    const auto dot = std::from_chars(text.data(), end, major);
    if (dot.ptr != end) std::from_chars(dot.ptr + 1, end, minor);
    return {major, minor};
}

void judge_version(const ServerSettings& settings, Findings& findings) {
    if (settings.version.find("MariaDB") == std::string::npos)
        findings.errors.push_back("the server is not MariaDB but " + settings.version);
    else if (version_of(settings.version) < kOldest)
        findings.errors.push_back("the server is MariaDB " + settings.version +
                                  "; at least 10.6 is needed");
}

void judge_durability(const ServerSettings& settings, Findings& findings) {
    // 3 is the same as 1, with the log of MariaDB 5.5.
    if (settings.flush_at_commit != 1 && settings.flush_at_commit != 3)
        findings.errors.push_back(
            "a commit is not on disk when the server confirms it; set "
            "innodb_flush_log_at_trx_commit = 1");
    if (!settings.has_doublewrite)
        findings.warnings.push_back(
            "a page that is half written when the power fails is lost; set innodb_doublewrite = 1 "
            "unless the filesystem writes whole pages");
    if (!settings.has_binlog) return;
    // After a crash the server keeps only the commits that it finds in its binary log.
    if (settings.sync_binlog != 1)
        findings.errors.push_back(
            "with the binary log on, a confirmed commit can be lost in a crash; set "
            "sync_binlog = 1");
    if (settings.binlog_format == "STATEMENT")
        findings.errors.push_back(
            "purchases are written with READ COMMITTED, which a binary log of statements cannot "
            "hold; set binlog_format = ROW");
}

}  // namespace

ServerSettings read_settings(Connection& connection) {
    return connection.value<ServerSettings>(own::read_settings);
}

Findings judge(const ServerSettings& settings, std::size_t connections_needed) {
    Findings findings;
    judge_version(settings, findings);
    judge_durability(settings, findings);
    if (settings.largest_packet < kLeastPacket)
        findings.errors.push_back(
            "a batch of purchases may not fit into a packet; set "
            "max_allowed_packet = 16M");
    if (settings.sql_mode.find("STRICT_ALL_TABLES") == std::string::npos)
        findings.errors.push_back(
            "the server cuts values that do not fit and goes on; remove what resets sql_mode for "
            "this user, such as init_connect");
    if (settings.charset != "utf8mb4")
        findings.errors.push_back(
            "the connection does not speak utf8mb4; remove skip-character-set-client-handshake");
    if (std::cmp_less(settings.most_connections, 2 * connections_needed))
        findings.warnings.push_back("this node alone needs " + std::to_string(connections_needed) +
                                    " of " + std::to_string(settings.most_connections) +
                                    " connections; set max_connections higher");
    if (settings.is_read_only)
        findings.warnings.push_back(
            "the server takes no writes at present (read_only = ON): nothing can be sold");
    return findings;
}

std::vector<std::string> check_settings(Connection& connection, std::size_t connections_needed) {
    auto [errors, warnings] = judge(read_settings(connection), connections_needed);
    if (errors.empty()) return std::move(warnings);
    std::string text = "the MariaDB server is not set as sluice needs it";
    for (const auto& error : errors) text += "\n  " + error;
    throw SettingsError(text);
}

void expect_promises_kept(Connection& connection) {
    try {
        check_settings(connection, 0);
    } catch (const SettingsError& error) {
        throw Error(CR_UNKNOWN_ERROR, error.what());
    }
}

std::chrono::milliseconds clock_difference(Connection& connection, const Clock& ours) {
    const auto before = ours.now();
    const std::chrono::milliseconds theirs{connection.value<std::int64_t>(own::read_clock)};
    const auto middle = before + (ours.now() - before) / 2;
    return theirs - std::chrono::milliseconds{to_millis(middle)};
}

}  // namespace sluice::mariadb
