#include "gate/count_exchange.hpp"

#include <chrono>

#include "base/outage.hpp"

namespace sluice::gate {

std::uint64_t shared_key(std::uint64_t key, unsigned char name) {
    return key ^ (std::uint64_t{name} + 1) * 0x9e3779b97f4a7c15ULL;
}

void CountExchange::note(RateLimiter& limiter, std::uint64_t key, Quota quota, int times) {
    merge(shared_key(key, limiter.sharing().name), {&limiter, key, quota, times});
}

void CountExchange::merge(std::uint64_t key, const Noted& noted) {
    Shard& shard = shard_of(key);
    const MutexLock lock(shard.mutex);
    const auto at = shard.noted.find(key);
    if (at != shard.noted.end()) {
        at->second.times += noted.times;
        at->second.is_followed |= noted.is_followed;
    } else if (shard.noted.size() < kMostNoted / kShards) {
        shard.noted.emplace(key, noted);
    }
}

Task<> CountExchange::exchange() {
    auto noted = take();
    if (noted.empty()) co_return;
    std::vector<SharedCounts::Entry> entries;
    for (const auto& [key, each] : noted)
        entries.push_back({.key = key,
                           .interval = std::chrono::microseconds(each.quota.interval),
                           .burst = each.quota.burst,
                           .times = each.times,
                           .mode = SharedCounts::Entry::Mode::add});
    std::vector<std::chrono::microseconds> used;
    bool is_away = false;
    try {
        used = co_await shared_.add(std::move(entries));
    } catch (const Outage&) {
        is_away = true;
    } catch (const Overload&) {
        is_away = true;
    }
    for (std::size_t i = 0; i < noted.size(); ++i) {
        const auto& [key, each] = noted[i];
        if (is_away)
            merge(key, each);
        else
            hear(each, key, used[i]);
    }
}

void CountExchange::hear(const Noted& noted, std::uint64_t key, std::chrono::microseconds used) {
    const auto unsent = noted_since(key) * std::chrono::microseconds(noted.quota.interval);
    noted.limiter->correct(noted.key, used + unsent, std::chrono::steady_clock::now());
    if (2 * used < std::chrono::microseconds(noted.quota.window())) return;
    auto followed = noted;
    followed.times = 0;
    followed.is_followed = true;
    merge(key, followed);
}

/// The counts that have to be reported.
std::vector<std::pair<std::uint64_t, CountExchange::Noted>> CountExchange::take() {
    std::vector<std::pair<std::uint64_t, Noted>> all;
    const auto now = std::chrono::steady_clock::now();
    for (Shard& shard : shards_) {
        boost::unordered_flat_map<std::uint64_t, Noted> noted;
        {
            const MutexLock lock(shard.mutex);
            noted.swap(shard.noted);
        }
        for (const auto& [key, each] : noted) {
            const bool is_told =
                each.times != 0 && !each.limiter->is_quiet(each.key, each.quota, now);
            if (is_told || each.is_followed) all.emplace_back(key, each);
        }
    }
    return all;
}

int CountExchange::noted_since(std::uint64_t key) {
    Shard& shard = shard_of(key);
    const MutexLock lock(shard.mutex);
    const auto at = shard.noted.find(key);
    return at == shard.noted.end() ? 0 : at->second.times;
}

}  // namespace sluice::gate
