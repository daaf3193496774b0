#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

#include "adapters/rabbitmq/options.hpp"
#include "support/temp_folder.hpp"

namespace sluice::testing_support {

/// A private RabbitMQ node in a temporary folder, which listens at 127.0.0.1, with and without TLS.
/// It ends with this, or with the thread that started it, whatever happens to that.
class RabbitmqServer {
  public:
    RabbitmqServer();
    ~RabbitmqServer();
    RabbitmqServer(const RabbitmqServer&) = delete;
    RabbitmqServer& operator=(const RabbitmqServer&) = delete;

    /// The one that all tests share, because a start takes seconds; started by whoever asks first.
    /// A test that kills, stops or alarms it leaves it as it was.
    static RabbitmqServer& shared();

    /// Returns when it takes connections. What it had kept is there again.
    void start();
    /// As a crash does.
    void kill();
    /// It is silent from here, and its connections stay open, until thaw().
    void freeze();
    void thaw();

    /// Each time with a queue of another name.
    rabbitmq::Options options() const;
    /// The same, by TLS, which knows who signed the node's certificate.
    rabbitmq::Options tls_options() const;
    std::uint16_t port() const { return port_; }

    /// As somebody else does it, with all that is in the queue.
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
