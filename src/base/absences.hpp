#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>

namespace sluice {

/// Remembers for a minute or two that something was looked up and is not there, so that the
/// database is not asked again for the same nothing. A table of fixed size: no allocation, no lock,
/// no growth; where it is crowded an older absence is forgotten. Safe from any thread.
///
/// Only for what its asker cannot know before it is there: then an absence that has ended meanwhile
/// is one that somebody guessed.
class Absences {
  public:
    using HashKey = std::array<unsigned char, 16>;
    using Instant = std::chrono::steady_clock::time_point;

    /// `sets` is a power of two; each holds four absences.
    explicit Absences(const HashKey& hash_key, std::size_t sets = 1 << 16);

    /// `asker` is part of what is remembered: what is not there for one may be there for another.
    bool contains(std::int64_t asker, std::string_view what, Instant now) const;
    void note(std::int64_t asker, std::string_view what, Instant now);

  private:
    static constexpr std::size_t kWays = 4;
    using Set = std::array<std::atomic<std::uint64_t>, kWays>;

    std::uint64_t hash_of(std::int64_t asker, std::string_view what) const;

    const HashKey hash_key_;
    const std::size_t mask_;
    std::unique_ptr<Set[]> sets_;
};

}  // namespace sluice
