#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "domain/rate_limits.hpp"

namespace sluice::gate {

/// A rate limit in the form in which it is counted.
struct Quota {
    std::uint32_t interval = 0;  // microseconds between two at the steady pace; 0: no limit
    std::uint32_t burst = 0;     // how many at once after a rest

    static Quota of(const Rate& rate, unsigned people = 1);
    static Quota of(const CommonRate& rate);

    explicit operator bool() const { return interval != 0; }
    /// Microseconds until a burst that was used up is available again.
    std::uint64_t window() const { return std::uint64_t{interval} * burst; }

    friend bool operator==(const Quota&, const Quota&) = default;
};

/// An IPv6 /48 gets this many times what an address gets. Many households may share a /48, or one
/// household may own it.
inline constexpr unsigned kHouseholdsPerSite = 8;

/// The rate limits as every request reads them. Each is one word, so readers need no lock and never
/// see half a change. A change is in force on all threads when set() returns.
class RatesInForce {
  public:
    explicit RatesInForce(const RateLimits& limits) { set(limits); }

    /// From any thread.
    void set(const RateLimits& limits);

    Quota by_buyer(RateClass which) const { return buyer_[static_cast<std::size_t>(which)].load(); }
    Quota by_address(RateClass which) const {
        return address_[static_cast<std::size_t>(which)].load();
    }
    Quota by_site(RateClass which) const { return site_[static_cast<std::size_t>(which)].load(); }
    Quota by_sale() const { return sale_.load(); }
    Quota for_node() const { return node_.load(); }
    /// 0: any number.
    unsigned holders_per_network() const {
        return holders_per_network_.load(std::memory_order_relaxed);
    }

  private:
    class Word {
      public:
        Quota load() const {
            const auto bits = bits_.load(std::memory_order_relaxed);
            return {static_cast<std::uint32_t>(bits >> 32), static_cast<std::uint32_t>(bits)};
        }
        void store(Quota quota) {
            bits_.store(std::uint64_t{quota.interval} << 32 | quota.burst,
                        std::memory_order_relaxed);
        }

      private:
        std::atomic<std::uint64_t> bits_{0};
    };

    std::array<Word, kRateClasses> buyer_;
    std::array<Word, kRateClasses> address_;
    std::array<Word, kRateClasses> site_;
    Word sale_;
    Word node_;
    std::atomic<unsigned> holders_per_network_{0};
};

}  // namespace sluice::gate
