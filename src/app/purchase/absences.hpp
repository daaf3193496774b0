#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>

namespace sluice {

/// Remembers for a minute or two that something was looked up and does not exist, so that the
/// database is not asked for it again. A table of fixed size: no allocation, no lock, no growth.
/// Where it is crowded an older absence is forgotten. Safe from any thread.
///
/// Something that is created meanwhile still counts as absent. So use this only for ids that nobody
/// can know before they exist, or raise the edition before anybody can learn of the new thing.
class Absences {
  public:
    using HashKey = std::array<unsigned char, 16>;
    using Instant = std::chrono::steady_clock::time_point;

    /// `sets` is a power of two; each holds four absences.
    static constexpr std::size_t kSets = 1 << 16;
    explicit Absences(const HashKey& hash_key, std::size_t sets = kSets);

    /// All of these belong to an absence: what does not exist for one caller may exist for another,
    /// and what did not exist in one edition may exist in the next.
    struct Question {
        std::int64_t asker = 0;
        std::string_view what;
        std::int64_t edition = 0;
    };
    bool contains(const Question& question, Instant now) const;
    void note(const Question& question, Instant now);

  private:
    static constexpr std::size_t kWays = 4;
    using Set = std::array<std::atomic<std::uint64_t>, kWays>;

    std::uint64_t hash_of(const Question& question) const;

    const HashKey hash_key_;
    const std::size_t mask_;
    std::unique_ptr<Set[]> sets_;
};

}  // namespace sluice
