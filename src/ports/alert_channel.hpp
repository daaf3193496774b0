#pragma once

#include <string>

#include "base/task.hpp"
#include "domain/alert.hpp"

namespace sluice {

/// A channel by which operators get alerts: a robot in their chat, a mailbox, a webhook.
class AlertChannel {
  public:
    virtual ~AlertChannel() = default;

    enum class Told {
        taken,      // it was accepted, and the rest is up to the receiver
        try_again,  // it may have been taken, or the receiver is busy
        refused,    // it was refused, and would be refused again
    };
    struct Answer {
        Told told = Told::taken;
        std::string reason = {};  // of a failure; fit for the log, and without secrets
    };
    /// Limited in time; throws nothing. On the loop of the workers. The same message may be sent
    /// again, under the same id.
    virtual Task<Answer> tell(AlertMessage message) = 0;
};

}  // namespace sluice
