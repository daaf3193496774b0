#pragma once

#include <string>

#include "base/task.hpp"
#include "base/timestamp.hpp"

namespace sluice {

/// A short message with a code to a phone. Its content never goes to a log.
struct PhoneMessage {
    std::string id;     // the same when it is sent again, so that a gateway can tell
    std::string phone;  // canonical
    std::string text;   // the text for people, with the code
    std::string code;
    int minutes = 0;       // for which the code is valid
    Timestamp good_until;  // after this time it is useless
};

/// Sends messages to phones.
class MessageSender {
  public:
    virtual ~MessageSender() = default;

    enum class Sent {
        taken,      // it will be delivered, as far as anybody knows
        try_again,  // it may have been taken, or the gateway is busy
        refused,    // it was refused, and would be refused again
    };
    struct Answer {
        Sent sent = Sent::taken;
        std::string reason = {};  // fit for the log
    };
    /// Limited in time; throws nothing. On the loop of the workers.
    virtual Task<Answer> send(PhoneMessage message) = 0;
};

}  // namespace sluice
