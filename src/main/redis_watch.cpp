#include "main/redis_watch.hpp"

#include <algorithm>

namespace sluice {
Task<> RedisWatch::look() {
    const auto now = first();
    if (!now.is_connected) {
        // The very first attempt may still be under way.
        if (seen_ != Seen::away && !now.failure.empty()) {
            log_.error("redis.away", {{"reason", now.failure}});
            seen_ = Seen::away;
            ++outages_;
        }
        co_return;
    }
    if (seen_ != Seen::back)
        log_.info("redis.connected", {{"version", now.server.version}, {"run", now.server.run}});
    seen_ = Seen::back;
    auto complaints = redis::complaints_about(now.server);
    for (const auto& each : complaints)
        if (std::ranges::find(complaints_, each) == complaints_.end())
            log_.warn("redis.settings", {{"reason", text_of(each)}});
    complaints_ = std::move(complaints);
}

api::PartHealth RedisWatch::health() const {
    const auto now = first();
    if (now.is_connected) return {"redis", true, redis::complaints_about(now.server)};
    if (now.failure.empty()) return {"redis", false, {{NoticeRule::redis_silent}}};
    return {"redis", false, {{NoticeRule::redis_away, now.failure}}};
}

void RedisWatch::add_metrics(MetricsPage& metrics) const {
    metrics.add_gauge("sluice_redis_up", "Whether Redis answers: 1 or 0.",
                      [this] { return first().is_connected ? 1.0 : 0.0; });
    metrics.add_gauge("sluice_redis_links", "Connections to Redis that work, one for each loop.",
                      [this] {
                          const auto links = client_.health();
                          return static_cast<double>(
                              std::ranges::count(links, true, &redis::LinkHealth::is_connected));
                      });
    metrics.add_counter("sluice_redis_outages_total", "Times that Redis was found away.",
                        [this] { return static_cast<double>(outages_.load()); });
    metrics.add_gauge(
        "sluice_redis_complaints",
        "Settings or states of Redis that an operator should change; see /readyz.", [this] {
            const auto now = first();
            return now.is_connected ? static_cast<double>(complaints_about(now.server).size())
                                    : 0.0;
        });
    metrics.add_gauge("sluice_redis_used_memory_bytes", "Memory that Redis uses.",
                      [this] { return static_cast<double>(first().server.used_memory); });
    metrics.add_gauge("sluice_redis_max_memory_bytes",
                      "Memory that Redis may use; 0: as much as there is.",
                      [this] { return static_cast<double>(first().server.most_memory); });
    metrics.add_gauge("sluice_redis_replicas", "Replicas that follow this Redis.",
                      [this] { return static_cast<double>(first().server.replicas); });
}

}  // namespace sluice
