#pragma once

#include "base/outage.hpp"

namespace sluice::sql {

/// The archive is missing or cannot be read, and what is asked for may be in it.
class ArchiveAway : public Outage {
  public:
    using Outage::Outage;
};

}  // namespace sluice::sql
