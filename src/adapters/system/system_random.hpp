#pragma once

#include "ports/random.hpp"

namespace sluice {

/// The kernel's random bytes, through libsodium.
class SystemRandom final : public Random {
  public:
    SystemRandom();

    void fill(std::span<unsigned char> out) override;
};

}  // namespace sluice
