#pragma once

#include <deque>

#include "base/mutex.hpp"
#include "http/exchange.hpp"
#include "ports/clock.hpp"
#include "ports/message_sender.hpp"

namespace sluice::sandbox {

/// A sender that delivers no messages: it keeps the latest in memory and shows them to everybody.
/// For trials without a phone. Safe from any thread.
class SandboxMessages final : public MessageSender {
  public:
    static constexpr std::size_t kKept = 50;

    /// `is_on`: whether the messages may be shown.
    SandboxMessages(const Clock& clock, bool is_on) : clock_(clock), is_on_(is_on) {}

    Task<Answer> send(PhoneMessage message) override;

    /// The newest first; not found unless it is on.
    http::Pending show(http::Exchange& exchange);

  private:
    struct Kept {
        std::string phone, text;
        Timestamp at;
    };

    const Clock& clock_;
    const bool is_on_;
    Mutex mutex_;
    std::deque<Kept> kept_ GUARDED_BY(mutex_);
};

}  // namespace sluice::sandbox
