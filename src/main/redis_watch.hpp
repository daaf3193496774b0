#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "adapters/redis/client.hpp"
#include "api/office/machine_room.hpp"
#include "base/mutex.hpp"
#include "observe/log.hpp"
#include "observe/metrics.hpp"

namespace sluice {

/// Checks Redis and tells operators whether it answers, and what they should change there. The
/// client outlives it.
class RedisWatch {
  public:
    RedisWatch(const redis::Client& client, Log& log) : client_(client), log_(log) {}

    /// To be called once a second.
    Task<> look();

    /// From any thread. Complaints are shown, and do not make the server unready.
    api::PartHealth health() const;
    void add_metrics(MetricsPage& metrics) const;

  private:
    enum class Seen { nothing, away, back };

    /// Uses the keeper's link, not that of a request: it exists as long as the server.
    redis::LinkHealth first() const { return client_.health().front(); }

    const redis::Client& client_;
    Log& log_;
    Seen seen_ = Seen::nothing;               // of the rounds only
    std::vector<Notice> complaints_;          // of the rounds only
    std::atomic<std::uint64_t> outages_ = 0;  // since the start
};

}  // namespace sluice
