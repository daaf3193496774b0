#pragma once

#include <span>

namespace sluice {

/// Bytes that cannot be guessed (a simulation may repeat them). Safe from any thread.
class Random {
  public:
    virtual ~Random() = default;
    virtual void fill(std::span<unsigned char> out) = 0;
};

}  // namespace sluice
