#pragma once

#include <chrono>
#include <cstddef>

#include "adapters/rabbitmq/options.hpp"

namespace sluice::rabbitmq {

/// Which host is tried next, and how long to wait before.
class Attempts {
  public:
    /// Begins with a random host.
    explicit Attempts(const Options& options);

    const Options::Host& next();
    /// The wait after a failure: twice as long after each in a row, up to a limit, and partly
    /// random.
    std::chrono::milliseconds pause();
    void succeed() { failures_ = 0; }

  private:
    const Options& options_;
    std::size_t at_;
    std::int64_t failures_ = 0;
};

}  // namespace sluice::rabbitmq
