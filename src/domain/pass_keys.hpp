#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/mutex.hpp"
#include "base/timestamp.hpp"

namespace sluice {

struct PassKey {
    using Secret = std::array<unsigned char, 32>;

    std::uint16_t id = 0;  // from 1; is part of every pass that it signed
    Secret secret{};
    Timestamp made_at;

    friend bool operator==(const PassKey&, const PassKey&) = default;
};

/// How long a key still verifies after a newer one has replaced it. A pass lives a minute, but one
/// that has bought finds its ticket as long as its key is known.
inline constexpr std::chrono::hours kPassKeyRetention{24};

/// The keys that are valid at `now`, in the order in which they were made: the newest, and those
/// that were replaced no longer ago than the retention.
std::vector<PassKey> keys_in_force(std::vector<PassKey> keys, Timestamp now);

/// The keys of the passes, which may be exchanged while passes are made and read. Safe from any
/// thread; reading takes no lock and allocates nothing.
class PassKeyRing {
  public:
    /// As the next one.
    explicit PassKeyRing(std::vector<PassKey> keys);

    /// At least one; the last of them signs from now on.
    void exchange(std::vector<PassKey> keys);

    const PassKey& signing() const { return keys().back(); }

    /// nullptr when it is not on the ring.
    const PassKey* find(std::uint16_t id) const;

  private:
    const std::vector<PassKey>& keys() const { return *present_.load(std::memory_order_acquire); }

    std::atomic<const std::vector<PassKey>*> present_;
    Mutex mutex_;
    /// Replaced keys are kept, since somebody may still be reading them: a rotation, a few times a
    /// day at most, leaves less than a kilobyte.
    std::vector<std::unique_ptr<const std::vector<PassKey>>> all_ GUARDED_BY(mutex_);
};

}  // namespace sluice
