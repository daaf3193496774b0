#pragma once

#include <array>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/mutex.hpp"
#include "gate/rate_limiter.hpp"
#include "ports/shared_counts.hpp"

namespace sluice::gate {

/// Lets the rate limiters of several nodes count together. Each node refuses by its own counts, at
/// once; four times a second it reads what the others have counted. So N nodes together let through
/// one burst, and in addition what the others let through within a quarter of a second. That excess
/// is a debt: nobody is let through until it is paid back. A node follows the shared count of a key
/// once half of the key's burst is used up there. Safe from any thread.
class CountExchange {
  public:
    static constexpr std::chrono::milliseconds kPace{250};
    /// Counts noted between two exchanges; counts beyond this stay on this node.
    static constexpr std::size_t kMostNoted = 65'536;

    explicit CountExchange(SharedCounts& shared) : shared_(shared) {}

    /// The limiter has counted the key `times` times; a negative number gives back. The limiter has
    /// to live for as long as exchange() is called.
    void note(RateLimiter& limiter, std::uint64_t key, Quota quota, int times);

    /// Reports what was noted and corrects the limiters. While the shared counts are away, what was
    /// noted is kept for the next call, and the limiters go on alone.
    Task<> exchange();

  private:
    struct Noted {
        RateLimiter* limiter = nullptr;
        std::uint64_t key = 0;
        Quota quota;
        int times = 0;
        bool is_followed = false;  // reads the shared count even if it has nothing to report
    };
    struct alignas(64) Shard {
        Mutex mutex;
        boost::unordered_flat_map<std::uint64_t, Noted> noted GUARDED_BY(mutex);
    };
    static constexpr std::size_t kShards = 16;

    Shard& shard_of(std::uint64_t key) { return shards_[key >> 60]; }
    void merge(std::uint64_t shared_key, const Noted& noted);
    void hear(const Noted& noted, std::uint64_t key, std::chrono::microseconds used);
    std::vector<std::pair<std::uint64_t, Noted>> take();
    int noted_since(std::uint64_t shared_key);

    SharedCounts& shared_;
    std::array<Shard, kShards> shards_;
};

/// The shared key for a limiter with this name: the keys of two limiters may be equal.
std::uint64_t shared_key(std::uint64_t key, unsigned char name);

}  // namespace sluice::gate
