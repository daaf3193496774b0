#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace sluice::simulation {

/// All random decisions of a run, the same for the same seed.
class Chance {
  public:
    explicit Chance(std::uint64_t seed) : engine_(seed) {}

    /// Both ends included.
    std::int64_t between(std::int64_t low, std::int64_t high) {
        const auto count = static_cast<std::uint64_t>(high - low + 1);
        return low + static_cast<std::int64_t>(engine_() % count);
    }
    bool one_in(std::int64_t count) { return between(1, count) == 1; }

    template <class T>
    const T& pick(const std::vector<T>& from) {
        return from[index(from.size())];
    }
    std::size_t index(std::size_t size) {
        return static_cast<std::size_t>(between(0, static_cast<std::int64_t>(size) - 1));
    }

    /// An index; the probability of each is proportional to its weight.
    std::size_t weighted(std::span<const int> weights) {
        std::int64_t sum = 0;
        for (const int weight : weights) sum += weight;
        auto drawn = between(1, sum);
        std::size_t at = 0;
        while ((drawn -= weights[at]) > 0) ++at;
        return at;
    }

  private:
    std::mt19937_64 engine_;
};

}  // namespace sluice::simulation
