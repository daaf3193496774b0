#include "gate/rate_limiter.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace sluice::gate {
namespace {

// A slot is a fingerprint of the key and the key's theoretical arrival time, in tenths of a
// millisecond since the table was made: 44 bits last for 55 years.
constexpr int kTimeBits = 44;
constexpr std::uint64_t kTimeMask = (std::uint64_t{1} << kTimeBits) - 1;
using Tick = std::chrono::duration<std::int64_t, std::ratio<1, 10'000>>;

constexpr std::uint64_t fingerprint_of(std::uint64_t key) {
    return key & ~kTimeMask;
}
constexpr std::uint64_t time_of(std::uint64_t slot) {
    return slot & kTimeMask;
}

}  // namespace

RateLimiter::RateLimiter(std::size_t sets)
    : mask_(sets - 1),
      began_(std::chrono::steady_clock::now()),
      sets_(std::make_unique<Set[]>(sets)) {
    CHECK(sets > 0 && (sets & mask_) == 0, "the table's size is a power of two");
}

std::chrono::milliseconds RateLimiter::wait_for(std::uint64_t key, http::Rate rate, Instant now) {
    const auto since = std::chrono::duration_cast<Tick>(now - began_).count();
    const auto present = static_cast<std::uint64_t>(std::max<std::int64_t>(since, 0));
    const auto interval = static_cast<std::uint64_t>(600'000 / std::max(rate.per_minute, 1));
    const auto tolerance = interval * static_cast<std::uint64_t>(std::max(rate.burst, 1));
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
        if (!mine) {
            mine = idlest;
            value = idlest_value;
        }
        const auto arrival = fingerprint_of(value) == fingerprint && value != 0
                                 ? std::max(time_of(value), present)
                                 : present;
        const auto next = arrival + interval;
        if (next > present + tolerance) {
            const Tick wait{static_cast<std::int64_t>(next - present - tolerance)};
            return std::chrono::ceil<std::chrono::milliseconds>(wait);
        }
        if (mine->compare_exchange_weak(value, fingerprint | (next & kTimeMask),
                                        std::memory_order_relaxed))
            return {};
    }
}

void RateLimiter::forget(std::uint64_t key) {
    for (auto& slot : sets_[key & mask_].slots) {
        auto seen = slot.load(std::memory_order_relaxed);
        while (seen != 0 && fingerprint_of(seen) == fingerprint_of(key))
            if (slot.compare_exchange_weak(seen, 0, std::memory_order_relaxed)) break;
    }
}

}  // namespace sluice::gate
