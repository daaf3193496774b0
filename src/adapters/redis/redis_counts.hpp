#pragma once

#include "adapters/redis/client.hpp"
#include "adapters/redis/keys.hpp"
#include "ports/shared_counts.hpp"

namespace sluice::redis {

/// Counts in Redis, by its clock. Each is kept as long as a part of it is used up.
class RedisCounts final : public SharedCounts {
  public:
    explicit RedisCounts(Client& client) : client_(client), keys_(client.options().prefix) {}

    Task<std::vector<std::chrono::microseconds>> add(std::vector<Entry> entries) override;

  private:
    Client& client_;
    const Keys keys_;
};

}  // namespace sluice::redis
