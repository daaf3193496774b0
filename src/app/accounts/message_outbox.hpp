#pragma once

#include <deque>
#include <functional>
#include <optional>

#include "base/mutex.hpp"
#include "ports/message_sender.hpp"

namespace sluice {

/// Messages that wait to be sent. In memory: after a crash people ask for new ones. Bounded. Safe
/// from any thread.
class MessageOutbox {
  public:
    static constexpr std::size_t kMost = 4'096;

    struct Waiting {
        PhoneMessage message;
        Timestamp not_before;
        int failures = 0;
    };

    /// `on_put` is called after each put, on the thread that puts.
    explicit MessageOutbox(std::function<void()> on_put = [] {}) : on_put_(std::move(on_put)) {}

    /// False when it is full.
    bool put(Waiting waiting);

    /// One that is due; nullopt when none is.
    std::optional<Waiting> take(Timestamp now);

    /// When the next is due.
    std::optional<Timestamp> next_due() const;

    std::size_t size() const;
    bool is_full() const { return size() >= kMost; }

  private:
    const std::function<void()> on_put_;
    mutable Mutex mutex_;
    std::deque<Waiting> waiting_ GUARDED_BY(mutex_);
};

}  // namespace sluice
