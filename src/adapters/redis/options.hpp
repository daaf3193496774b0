#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sluice::redis {

/// Where a Redis listens: a socket file, or a host and a port.
struct Place {
    std::filesystem::path socket;
    std::string host;
    std::uint16_t port = 6379;
};

struct TlsOptions {
    std::filesystem::path authorities;  // PEM; empty: the system's only
    std::filesystem::path certificate;  // our own, PEM; empty: we show none
    std::filesystem::path key;
};

struct Options {
    /// Tried in turn until one of them is a master.
    std::vector<Place> places;
    std::optional<TlsOptions> tls;  // the certificate has to name the host
    std::string user;               // of the ACL; empty: the default user
    std::string password;           // empty: no AUTH
    int database = 0;
    std::string prefix = "sluice:";  // of all our keys

    /// For an answer, and for a connection. After that time an answer is unknown.
    std::chrono::milliseconds patience{1'000};
    /// For one link: calls that wait for their answer. If there are more, the next one is Overload.
    std::size_t most_waiting = 10'000;
    std::size_t longest_reply = 4 * 1024 * 1024;
    /// How often a link asks its Redis about its identity and its state.
    std::chrono::milliseconds heartbeat{1'000};
    /// How old the follower's last read may be for a glance to rely on it.
    std::chrono::milliseconds freshness{2'000};
};

}  // namespace sluice::redis
