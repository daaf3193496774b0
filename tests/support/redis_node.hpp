#pragma once

#include <functional>
#include <memory>

#include "adapters/redis/redis_stock_gate.hpp"

namespace sluice::testing_support {

/// What one process of a cluster uses of Redis: an event loop with its link, another link to follow
/// the logs, and the gate.
class RedisNode {
  public:
    explicit RedisNode(const redis::Options& options, StockSignals* signals = nullptr)
        : RedisNode(options, options, signals) {}
    /// With another address for the link that follows the logs.
    RedisNode(const redis::Options& options, const redis::Options& following,
              StockSignals* signals = nullptr);
    ~RedisNode();

    redis::RedisStockGate& gate();
    redis::Client& client();
    /// One command, its answer.
    redis::Reply ask(std::vector<std::string> words);

  private:
    struct Parts;
    const std::unique_ptr<Parts> parts_;
};

/// Asks repeatedly until it is true, at most for half a minute.
bool eventually(const std::function<bool()>& is_so);

}  // namespace sluice::testing_support
