#pragma once

#include "adapters/redis/client.hpp"
#include "base/mutex.hpp"
#include "ports/clock.hpp"
#include "ports/node_directory.hpp"

namespace sluice::redis {

/// The servers that share a Redis: a hash, with a field for each server. Signs are dated by the
/// clock of Redis, so that all servers agree on which are gone.
class RedisNodes final : public NodeDirectory {
  public:
    RedisNodes(Client& client, std::int64_t part, const Clock& clock);

    /// If Redis is away, only this server knows its sign.
    Task<Done> give_sign(NodeSign own) override;
    /// While Redis is away: this server alone.
    Task<Nodes> list() override;

  private:
    Task<> tell(Node& node);
    void remember(Node own);
    Task<Timestamp> time_of_redis();
    Task<Nodes> read();
    Task<> forget(std::int64_t part);
    Nodes own_node() const;

    Client& client_;
    const std::string key_;
    const std::int64_t part_;
    const Clock& clock_;
    mutable Mutex mutex_;
    std::optional<Node> own_ GUARDED_BY(mutex_);
};

}  // namespace sluice::redis
