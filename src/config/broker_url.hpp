#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice {

/// Where one node of a RabbitMQ broker listens: amqp://host[:port], or amqps://host[:port] for TLS.
/// Who we are there is not part of it: a password in a URL would end up in lists and logs.
struct BrokerUrl {
    std::string host;
    std::uint16_t port = 5672;  // 5671 for TLS, unless it is given
    bool is_tls = false;

    static std::optional<BrokerUrl> parse(std::string_view text);

    /// Whether what is sent stays on this machine.
    bool is_local() const;
};

}  // namespace sluice
