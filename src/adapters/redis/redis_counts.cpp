#include "adapters/redis/redis_counts.hpp"

#include <array>

#include "base/check.hpp"

namespace sluice::redis {
namespace {

using Entry = SharedCounts::Entry;

/// So that a script takes a few milliseconds at most.
constexpr std::size_t kMostInCall = 200;

std::string_view to_text(Entry::Mode mode) {
    switch (mode) {
        case Entry::Mode::add:
            return "add";
        case Entry::Mode::strict:
            return "strict";
        case Entry::Mode::anew:
            return "anew";
    }
    CHECK(false, "every mode has a word");
}

void append(Call& call, const Entry& entry) {
    call.words.push_back(std::to_string(entry.key));
    call.words.push_back(std::to_string(entry.interval.count()));
    call.words.push_back(std::to_string((entry.interval * entry.burst).count()));
    call.words.push_back(std::to_string(entry.times));
    call.words.emplace_back(to_text(entry.mode));
}

}  // namespace

Task<std::vector<std::chrono::microseconds>> RedisCounts::add(std::vector<Entry> entries) {
    // Counts of one bucket are on one server of a Redis Cluster, so one call may contain many of
    // them.
    std::array<std::vector<std::size_t>, Keys::kCountBuckets> buckets;
    for (std::size_t i = 0; i < entries.size(); ++i)
        buckets[entries[i].key % buckets.size()].push_back(i);
    std::vector<Call> calls;
    std::vector<std::vector<std::size_t>> members;  // of each call
    for (std::size_t bucket = 0; bucket < buckets.size(); ++bucket)
        for (std::size_t at = 0; at < buckets[bucket].size(); ++at) {
            if (at % kMostInCall == 0) {
                calls.push_back({.script = &script("count_add"), .words = {keys_.counts(bucket)}});
                members.emplace_back();
            }
            append(calls.back(), entries[buckets[bucket][at]]);
            members.back().push_back(buckets[bucket][at]);
        }
    const auto replies = co_await client_.call_all(std::move(calls));
    std::vector<std::chrono::microseconds> used(entries.size());
    for (std::size_t i = 0; i < replies.size(); ++i)
        for (std::size_t at = 0; at < members[i].size(); ++at)
            used[members[i][at]] = std::chrono::microseconds(replies[i][at].number());
    co_return used;
}

}  // namespace sluice::redis
