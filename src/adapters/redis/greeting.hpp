#pragma once

#include <string>
#include <vector>

#include "adapters/redis/options.hpp"
#include "adapters/redis/reply.hpp"
#include "adapters/redis/server_state.hpp"

namespace sluice::redis {

/// What is said first on a new connection, in one go: who we are, the questions about the server,
/// and the scripts.
class Greeting {
  public:
    explicit Greeting(const Options& options);

    const std::string& commands() const { return commands_; }
    std::size_t answers() const { return steps_.size(); }
    /// Throws Outage when the server does not take us, or is not one to work with: a replica, or
    /// still loading.
    ServerState read(const std::vector<Reply>& answers) const;

  private:
    enum class Step { must_succeed, may_fail, info, save, min_replicas };

    void say(Step step, const std::vector<std::string>& words);

    std::string commands_;
    std::vector<Step> steps_;
};

}  // namespace sluice::redis
