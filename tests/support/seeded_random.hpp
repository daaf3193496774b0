#pragma once

#include <random>

#include "ports/random.hpp"

namespace sluice::testing_support {

/// The same bytes for the same seed.
class SeededRandom final : public Random {
  public:
    explicit SeededRandom(std::uint64_t seed) : engine_(seed) {}

    void fill(std::span<unsigned char> out) override {
        for (auto& byte : out) byte = static_cast<unsigned char>(engine_());
    }

  private:
    std::mt19937_64 engine_;
};

}  // namespace sluice::testing_support
