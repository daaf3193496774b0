#pragma once

#include <deque>

#include "base/mutex.hpp"
#include "http/exchange.hpp"
#include "ports/clock.hpp"
#include "ports/message_sender.hpp"

namespace sluice::sandbox {

/// A sender that brings messages nowhere: it keeps the latest in memory and shows them to
/// everybody. For trying things out without a phone. Safe from any thread.
class SandboxMessages final : public MessageSender {
  public:
    static constexpr std::size_t kKept = 50;

    explicit SandboxMessages(const Clock& clock) : clock_(clock) {}

    Task<Answer> send(PhoneMessage message) override;

    /// The newest first; not found while it is switched off.
    http::Pending show(http::Exchange& exchange);
    void switch_on() { on_ = true; }

  private:
    struct Kept {
        std::string phone, text;
        Timestamp at;
    };

    const Clock& clock_;
    bool on_ = false;  // before the first request
    Mutex mutex_;
    std::deque<Kept> kept_ GUARDED_BY(mutex_);
};

}  // namespace sluice::sandbox
