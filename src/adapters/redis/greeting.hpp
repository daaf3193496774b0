#pragma once

#include <string>
#include <vector>

#include "adapters/redis/options.hpp"
#include "adapters/redis/reply.hpp"
#include "adapters/redis/server_state.hpp"

namespace sluice::redis {

/// The first calls on a new connection, sent together: our log-in, the questions about the server,
/// and the scripts.
class Greeting {
  public:
    explicit Greeting(const Options& options);

    const std::string& commands() const { return commands_; }
    std::size_t answers() const { return steps_.size(); }
    /// Throws Outage when the server refuses us, or cannot be used: a replica, or one that is still
    /// loading.
    ServerState read(const std::vector<Reply>& answers) const;

  private:
    enum class Step { must_succeed, may_fail, info, save, min_replicas };

    void say(Step step, const std::vector<std::string>& words);

    std::string commands_;
    std::vector<Step> steps_;
};

}  // namespace sluice::redis
