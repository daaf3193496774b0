#pragma once

#include "ports/clock.hpp"

namespace sluice {

class SystemClock final : public Clock {
  public:
    Timestamp now() const override;
};

}  // namespace sluice
