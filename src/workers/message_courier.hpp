#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "app/accounts/message_outbox.hpp"
#include "observe/log.hpp"
#include "ports/clock.hpp"

namespace sluice {

/// Gives messages to a sender, and tries again when that fails: three times, and never after the
/// message has become useless. Logs neither phones nor codes. Several couriers may share one
/// outbox.
class MessageCourier {
  public:
    static constexpr int kTries = 3;
    static constexpr std::chrono::milliseconds kFirstPause{1'000};  // then twice as long
    static constexpr std::chrono::milliseconds kLongestPause{60'000};

    MessageCourier(MessageOutbox& outbox, MessageSender& sender, const Clock& clock, Log& log)
        : outbox_(outbox), sender_(sender), clock_(clock), log_(log) {}

    /// Sends what is due; returns when to look again.
    Task<std::chrono::milliseconds> send_due();

    /// Sends nothing more: codes are useless after the process has ended. From any thread.
    void stop() { stopping_ = true; }

    /// So far, from any thread.
    std::uint64_t sent() const { return sent_.load(std::memory_order_relaxed); }
    std::uint64_t given_up() const { return given_up_.load(std::memory_order_relaxed); }

  private:
    void conclude(MessageOutbox::Waiting waiting, const MessageSender::Answer& answer);
    void give_up(std::string_view reason);

    MessageOutbox& outbox_;
    MessageSender& sender_;
    const Clock& clock_;
    Log& log_;
    std::atomic<bool> stopping_ = false;
    std::atomic<std::uint64_t> sent_ = 0;
    std::atomic<std::uint64_t> given_up_ = 0;
};

}  // namespace sluice
