#pragma once

#include <string>

#include "base/task.hpp"
#include "domain/alert.hpp"

namespace sluice {

/// A place where operators hear of alerts: a robot in their chat, a mailbox, a webhook.
class AlertChannel {
  public:
    virtual ~AlertChannel() = default;

    enum class Told {
        taken,      // it was taken, and is out of our hands
        try_again,  // nobody knows whether it was taken, or the receiver is busy
        refused,    // it was not taken, and would not be another time
    };
    struct Answer {
        Told told = Told::taken;
        std::string reason = {};  // of a failure; fit for the log, and without secrets
    };
    /// Bounded in time; throws nothing. On the loop of the workers. The same message may come
    /// again, under the same id.
    virtual Task<Answer> tell(AlertMessage message) = 0;
};

}  // namespace sluice
