#pragma once

#include <span>

namespace sluice {

/// Bytes that nobody can guess (a simulation may replay them). Safe from any thread.
class Random {
  public:
    virtual ~Random() = default;
    virtual void fill(std::span<unsigned char> out) = 0;
};

}  // namespace sluice
