#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "adapters/redis/options.hpp"
#include "support/temp_folder.hpp"

namespace sluice::testing_support {

/// A Redis of the test's own, in a temporary folder, reached by a socket file. It ends with the
/// test program, however that ends.
class RedisServer {
  public:
    /// With more options as on its command line.
    explicit RedisServer(std::vector<std::string> more = {});
    RedisServer(const RedisServer&) = delete;
    RedisServer& operator=(const RedisServer&) = delete;
    ~RedisServer();

    /// The server for tests that do not harm it, each with a prefix of its own.
    static RedisServer& shared();

    /// A prefix that no other call has returned.
    redis::Options options() const;
    std::filesystem::path socket() const { return folder_ / "redis.sock"; }
    const TempFolder& folder() const { return folder_; }

    /// SIGKILL.
    void kill();
    /// With the data that is on its disk. It is ready afterwards.
    void start();
    /// SIGSTOP and SIGCONT.
    void freeze();
    void thaw();

    /// One command, its answer as redis-cli prints it.
    std::string ask(const std::vector<std::string>& words) const;

  private:
    TempFolder folder_;
    std::vector<std::string> more_;
    pid_t process_ = -1;
};

/// Of 127.0.0.1, as digits.
std::string free_port();

}  // namespace sluice::testing_support
