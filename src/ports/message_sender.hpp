#pragma once

#include <string>

#include "base/task.hpp"
#include "base/timestamp.hpp"

namespace sluice {

/// A short message to a phone, with a code in it. What is in it never goes to a log.
struct PhoneMessage {
    std::string id;     // the same when it is sent again, so that a gateway can tell
    std::string phone;  // canonical
    std::string text;   // what people read, with the code
    std::string code;
    int minutes = 0;       // for which the code is good
    Timestamp good_until;  // later it is of no use to anybody
};

/// Whoever brings messages to phones.
class MessageSender {
  public:
    virtual ~MessageSender() = default;

    enum class Sent {
        taken,      // it will be delivered, as far as anybody knows
        try_again,  // nobody knows whether it was taken, or the gateway is busy
        refused,    // it was not taken, and would not be another time
    };
    struct Answer {
        Sent sent = Sent::taken;
        std::string reason = {};  // fit for the log
    };
    /// Bounded in time; throws nothing. On the loop of the workers.
    virtual Task<Answer> send(PhoneMessage message) = 0;
};

}  // namespace sluice
