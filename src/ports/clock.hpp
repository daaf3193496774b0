#pragma once

#include "base/timestamp.hpp"

namespace sluice {

/// The wall clock. Cheap enough for every request; safe from any thread.
class Clock {
  public:
    virtual ~Clock() = default;
    virtual Timestamp now() const = 0;
};

}  // namespace sluice
