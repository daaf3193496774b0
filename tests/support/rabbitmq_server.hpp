#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

#include "adapters/rabbitmq/options.hpp"
#include "support/temp_folder.hpp"

namespace sluice::testing_support {

/// A private RabbitMQ node in a temporary folder, which listens at 127.0.0.1, with and without TLS.
/// It ends with this object, or with the thread that started it, however that ends.
class RabbitmqServer {
  public:
    RabbitmqServer();
    ~RabbitmqServer();
    RabbitmqServer(const RabbitmqServer&) = delete;
    RabbitmqServer& operator=(const RabbitmqServer&) = delete;

    /// The server that all tests share, because a start takes seconds; started by the first that
    /// asks for it. A test that kills, stops or alarms it puts it back in order.
    static RabbitmqServer& shared();

    /// Returns when it accepts connections. What it has stored is there again.
    void start();
    /// As a crash does.
    void kill();
    /// It answers nothing from here, and its connections stay open, until thaw().
    void freeze();
    void thaw();

    /// Each time with a queue of another name.
    rabbitmq::Options options() const;
    /// The same, by TLS, with the authority that has signed the node's certificate.
    rabbitmq::Options tls_options() const;
    std::uint16_t port() const { return port_; }

    /// Deletes the queue with everything in it, as somebody else might.
    void delete_queue(const std::string& name) const;
    /// rabbitmqctl, and what it printed.
    std::string ctl(const std::vector<std::string>& words) const;

  private:
    std::vector<std::string> command() const;
    void make_certificate() const;
    void signal(int number) const;

    const std::filesystem::path folder_;
    const TempFolder certificates_;
    const std::uint16_t port_, tls_port_, epmd_port_, distribution_port_;
    pid_t process_ = 0;
};

}  // namespace sluice::testing_support
