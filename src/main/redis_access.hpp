#pragma once

#include <thread>

#include <boost/asio/executor_work_guard.hpp>

#include "adapters/redis/redis_stock_gate.hpp"
#include "base/asio_loop.hpp"
#include "config/config.hpp"

namespace sluice {

/// How a command reaches the hot copies in Redis: one thread with its link. It does not follow the
/// logs of the sales, so a glance of this gate knows nothing.
class RedisAccess {
  public:
    /// Throws DataError or std::runtime_error when a file that the configuration names cannot be
    /// read. The first call shows whether Redis answers.
    explicit RedisAccess(const Config::Hot& hot);
    ~RedisAccess();

    redis::RedisStockGate& gate() { return gate_; }
    redis::Client& client() { return client_; }

  private:
    boost::asio::io_context context_{1};
    AsioLoop loop_{context_};
    boost::asio::executor_work_guard<AsioExecutor> busy_{context_.get_executor()};
    redis::Client client_;
    redis::RedisStockGate gate_;
    std::thread thread_;
};

}  // namespace sluice
