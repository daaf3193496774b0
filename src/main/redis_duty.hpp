#pragma once

#include <atomic>

#include "adapters/redis/client.hpp"
#include "observe/log.hpp"

namespace sluice {

/// Decides which node does what one node does for all: the one that owns a key in Redis, which
/// expires unless its owner renews it. While Redis is away nobody can take the key, so the owner
/// stays the same.
class RedisDuty {
  public:
    /// How long after the owner's end another node takes over.
    static constexpr int kSeconds = 10;

    /// `duty` names what is done, in Redis and in the log.
    RedisDuty(redis::Client& client, std::string duty, Log& log);

    /// To be called several times in kSeconds.
    Task<> look();

    /// From any thread.
    bool is_mine() const { return is_mine_; }

  private:
    Task<bool> take();

    redis::Client& client_;
    Log& log_;
    const std::string duty_, key_, name_;
    std::atomic<bool> is_mine_ = false;
};

}  // namespace sluice
