#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sluice::rabbitmq {

struct Options {
    struct Host {
        std::string name;
        std::uint16_t port = 5672;
    };
    struct Tls {
        std::filesystem::path ca;    // who signed the broker's certificate; empty: the system's
        std::filesystem::path cert;  // ours, if the broker wants one
        std::filesystem::path key;
    };
    std::vector<Host> hosts;  // of one broker; tried in turn, from a random one on
    std::string virtual_host = "/";
    std::string user = "guest";
    std::string password;
    std::optional<Tls> tls;

    /// The queue of tickets. The names of the queues of parked and of unreadable messages begin
    /// with it.
    std::string queue = "sluice.tickets";
    std::int64_t longest_queue = 20'000;  // messages; the broker refuses more
    std::size_t unconfirmed = 1'000;      // messages posted and not answered; more are refused here
    std::uint16_t prefetch = 128;         // messages that one source holds
    unsigned sources = 0;                 // 0: this node only posts

    std::chrono::milliseconds connect_within{2'000};
    std::chrono::milliseconds confirm_within{2'000};
    std::chrono::seconds heartbeat{5};
    /// A source that has had no message for this long subscribes again.
    std::chrono::milliseconds renew_when_quiet{30'000};
};

}  // namespace sluice::rabbitmq
