#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/fair_threads.hpp"
#include "base/task.hpp"

namespace sluice {

/// Who waits for a hash. Lanes are served in turn, so that none of them keeps another from it.
enum class HashLane {
    registration,
    shoppers,  // who log in from a device that nobody knows, and may be anybody
    known,     // who log in from one that is known, or have shown a session or a code
    operators  // all staff
};
inline constexpr std::size_t kHashLanes = static_cast<std::size_t>(HashLane::operators) + 1;

/// Hashes passwords with argon2id on threads of its own, because each hash is meant to take long. A
/// bounded number runs at a time, and a bounded number waits in each lane. If a lane is full, a
/// call throws Overload: that of the party with the most calls waiting in it.
class PasswordHasher {
  public:
    struct Cost {
        unsigned long long passes = 2;
        std::size_t memory_bytes = 19u << 20;
    };
    struct Place {
        HashLane lane = HashLane::shoppers;
        std::uint64_t party = 0;  // parties of a lane are served in turn: a network, or a device
    };

    /// `legacy_fixed_salt`: what imported passwords were mixed with, if known.
    PasswordHasher(std::size_t threads, std::size_t backlog, Cost cost,
                   std::string legacy_fixed_salt = {});

    Task<std::string> hash(std::string password, Place place);

    /// Checks against a hash of ours or a WrappedHash. An empty one stands for an unknown account:
    /// it never matches, and takes as long as a wrong password.
    Task<bool> verify(std::string hash, std::string password, Place place);

    /// The same at once, on the calling thread.
    std::string hash_now(const std::string& password) const;

    std::size_t waiting(HashLane lane) const {
        return threads_.waiting(static_cast<std::size_t>(lane));
    }

  private:
    bool matches(const std::string& hash, const std::string& password) const;
    template <class T, class Work>
    Task<T> run(Place place, Work work);

    const Cost cost_;
    const std::string legacy_fixed_salt_;
    const std::string decoy_;  // what unknown accounts are checked against
    FairThreads threads_;
};

}  // namespace sluice
