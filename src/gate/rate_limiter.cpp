#include "gate/rate_limiter.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "gate/count_exchange.hpp"

namespace sluice::gate {
namespace {

// A slot holds a fingerprint of the key and the key's theoretical arrival time, in microseconds
// since the table was made: 48 bits last for nine years. Set and fingerprint together are 32 bits
// of the key, so that in a full table one of 16,000 keys is mistaken for another one.
constexpr int kTimeBits = 48;
constexpr std::uint64_t kTimeMask = (std::uint64_t{1} << kTimeBits) - 1;

constexpr std::uint64_t fingerprint_of(std::uint64_t key) {
    return key & ~kTimeMask;
}
constexpr std::uint64_t time_of(std::uint64_t slot) {
    return slot & kTimeMask;
}

std::chrono::microseconds micros(std::uint64_t count) {
    return std::chrono::microseconds{static_cast<std::int64_t>(count)};
}

}  // namespace

RateLimiter::RateLimiter(std::size_t sets, Sharing sharing)
    : sharing_(sharing), mask_(sets - 1), began_(std::chrono::steady_clock::now()), sets_(sets) {
    CHECK(sets > 0 && (sets & mask_) == 0, "the table's size is a power of two");
    CHECK(sets <= 1 << 16, "set and fingerprint are different bits of the key");
}

std::uint64_t RateLimiter::micros_at(Instant now) const {
    const auto since = std::chrono::duration_cast<std::chrono::microseconds>(now - began_).count();
    return static_cast<std::uint64_t>(std::max<std::int64_t>(since, 0));
}

RateLimiter::Count RateLimiter::look(std::uint64_t key, Quota quota, Instant now) const {
    const auto present = micros_at(now);
    const auto tolerance = quota.window();
    const auto used = std::min(used_at(key, present), most_used(quota));
    const auto with_one_more = used + quota.interval;
    return {.wait = micros(with_one_more > tolerance ? with_one_more - tolerance : 0),
            .left = static_cast<std::uint32_t>((tolerance - std::min(used, tolerance)) /
                                               quota.interval),
            .full_in = micros(used)};
}

std::uint64_t RateLimiter::used_at(std::uint64_t key, std::uint64_t present) const {
    for (const auto& slot : sets_[key & mask_].slots) {
        const auto seen = slot.load(std::memory_order_relaxed);
        if (seen != 0 && fingerprint_of(seen) == fingerprint_of(key) && time_of(seen) > present)
            return time_of(seen) - present;
    }
    return 0;
}

RateLimiter::Count RateLimiter::count(std::uint64_t key, Quota quota, Instant now) {
    const auto present = micros_at(now);
    const std::uint64_t interval = quota.interval;
    const auto tolerance = quota.window();
    const auto fingerprint = fingerprint_of(key);
    auto& slots = sets_[key & mask_].slots;

    for (;;) {
        std::atomic<std::uint64_t>* mine = nullptr;
        std::atomic<std::uint64_t>* idlest = nullptr;
        std::uint64_t idlest_value = 0;
        std::uint64_t value = 0;
        for (auto& slot : slots) {
            const auto seen = slot.load(std::memory_order_relaxed);
            if (seen != 0 && fingerprint_of(seen) == fingerprint) {
                mine = &slot;
                value = seen;
                break;
            }
            if (!idlest || time_of(seen) < time_of(idlest_value)) {
                idlest = &slot;
                idlest_value = seen;
            }
        }
        const bool known = mine != nullptr;
        if (!known) {
            mine = idlest;
            value = idlest_value;
        }
        if (known && time_of(value) > present + most_used(quota)) {
            // The limit was changed meanwhile. What was used up under the old limit is capped at
            // the burst of the new one, or the key would have to wait for as long as under the old
            // limit.
            mine->compare_exchange_weak(value, fingerprint | (present + most_used(quota)),
                                        std::memory_order_relaxed);
            continue;
        }
        const auto arrival = known ? std::max(time_of(value), present) : present;
        const auto next = arrival + interval;
        if (next > present + tolerance)
            return {.wait = micros(next - present - tolerance),
                    .left = 0,
                    .full_in = micros(arrival - present)};
        if (!mine->compare_exchange_weak(value, fingerprint | (next & kTimeMask),
                                         std::memory_order_relaxed))
            continue;
        if (sharing_.with) sharing_.with->note(*this, key, quota, 1);
        const auto used = next - present;
        return {.wait = micros(0),
                .left = static_cast<std::uint32_t>((tolerance - used) / interval),
                .full_in = micros(used)};
    }
}

void RateLimiter::forget(std::uint64_t key) {
    for (auto& slot : sets_[key & mask_].slots) {
        auto seen = slot.load(std::memory_order_relaxed);
        while (seen != 0 && fingerprint_of(seen) == fingerprint_of(key))
            if (slot.compare_exchange_weak(seen, 0, std::memory_order_relaxed)) break;
    }
}

void RateLimiter::give_back(std::uint64_t key, Quota quota) {
    for (auto& slot : sets_[key & mask_].slots) {
        auto seen = slot.load(std::memory_order_relaxed);
        while (seen != 0 && fingerprint_of(seen) == fingerprint_of(key)) {
            const auto time = time_of(seen) > quota.interval ? time_of(seen) - quota.interval : 0;
            if (!slot.compare_exchange_weak(seen, fingerprint_of(seen) | time,
                                            std::memory_order_relaxed))
                continue;
            if (sharing_.with) sharing_.with->note(*this, key, quota, -1);
            return;
        }
    }
}

void RateLimiter::correct(std::uint64_t key, std::chrono::microseconds used, Instant now) {
    const auto till =
        micros_at(now) + static_cast<std::uint64_t>(std::max<std::int64_t>(used.count(), 0));
    for (auto& slot : sets_[key & mask_].slots) {
        auto seen = slot.load(std::memory_order_relaxed);
        while (seen != 0 && fingerprint_of(seen) == fingerprint_of(key) && time_of(seen) < till)
            if (slot.compare_exchange_weak(seen, fingerprint_of(seen) | (till & kTimeMask),
                                           std::memory_order_relaxed))
                return;
    }
}

bool RateLimiter::is_quiet(std::uint64_t key, Quota quota, Instant now) const {
    return sharing_.quiet_below > 0 &&
           used_at(key, micros_at(now)) < quota.window() / sharing_.quiet_below;
}

}  // namespace sluice::gate
