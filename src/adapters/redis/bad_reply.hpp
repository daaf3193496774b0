#pragma once

#include "base/outage.hpp"

namespace sluice::redis {

/// What came back is no answer to what was asked. Whether it has happened, nobody knows.
class BadReply : public UnknownOutcome {
  public:
    using UnknownOutcome::UnknownOutcome;
};

}  // namespace sluice::redis
