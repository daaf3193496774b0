#pragma once

#include <stdexcept>

namespace sluice {

/// Something we depend on is away or full. Thrown on cold paths and caught once, at the edge.
/// Nothing was changed, unless it is an UnknownOutcome.
class Outage : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// What was written may be there, or not: look it up.
class UnknownOutcome : public Outage {
  public:
    using Outage::Outage;
};

/// Work was refused because a bounded queue is full: come back in a moment.
class Overload : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace sluice
