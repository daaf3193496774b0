#pragma once

#include "base/outage.hpp"

namespace sluice::redis {

/// The reply does not fit the call. It is unknown whether the call has happened.
class BadReply : public UnknownOutcome {
  public:
    using UnknownOutcome::UnknownOutcome;
};

}  // namespace sluice::redis
