#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "base/mutex.hpp"
#include "base/timestamp.hpp"
#include "ports/alert_channel.hpp"

namespace sluice {

/// The alerts that wait for one channel, and how telling it went so far. In memory: what waits when
/// the process ends is lost. Bounded in number and in rate. Safe from any thread.
class AlertBox {
  public:
    static constexpr std::size_t kMost = 32;       // if more wait, the oldest is given up
    static constexpr std::size_t kMostTests = 4;   // tests that wait
    static constexpr std::size_t kPerMinute = 15;  // robots accept 20

    using Answer = AlertChannel::Answer;

    struct Waiting {
        AlertMessage message;
        Timestamp not_before;
        int failures = 0;
        /// For a test, which is tried once: called with its outcome. Otherwise empty.
        std::move_only_function<void(Answer)> heard;
    };

    struct Failure {
        Timestamp at;
        std::string reason;
    };
    struct Figures {
        std::size_t waiting = 0;
        std::uint64_t sent = 0;
        std::uint64_t failed = 0;  // given up
        std::optional<Timestamp> last_sent;
        std::optional<Failure> last_failure;  // of an attempt
    };

    /// `to`: where the channel leads, as operators may see it, without secrets.
    AlertBox(std::string name, std::string to) : name_(std::move(name)), to_(std::move(to)) {}

    const std::string& name() const { return name_; }
    const std::string& to() const { return to_; }

    /// `on_put` is called after each put, on the thread that puts. To be set before the first put.
    void on_put(std::function<void()> wake) { wake_ = std::move(wake); }

    void put(AlertMessage message, Timestamp now);
    /// An attempt has failed, and another may be made later.
    void put_back(Waiting waiting);

    /// Tells it before all others and reports the outcome; reports at once if too many tests wait.
    Task<Answer> test(AlertMessage message);

    /// One that is due, unless too many were taken within the last minute; nullopt when none is.
    std::optional<Waiting> take(Timestamp now);
    /// When there may be one to take.
    std::optional<Timestamp> next_due() const;

    void note_sent(Timestamp now);
    void note_failure(Timestamp now, std::string reason);
    void note_given_up();

    /// Nothing is told from here on; the tests that wait are told so.
    void close();

    Figures figures() const;

  private:
    using Heard = std::move_only_function<void(Answer)>;

    /// Whether it waits now.
    bool put_test(AlertMessage message, Heard& heard) EXCLUDES(mutex_);

    const std::string name_;
    const std::string to_;
    std::function<void()> wake_ = [] {};

    mutable Mutex mutex_;
    bool is_closed_ GUARDED_BY(mutex_) = false;
    std::size_t tests_ GUARDED_BY(mutex_) = 0;
    std::deque<Waiting> waiting_ GUARDED_BY(mutex_);  // tests first
    void forget_taken(Timestamp now) REQUIRES(mutex_);

    std::deque<Timestamp> taken_ GUARDED_BY(mutex_);  // when the last ones were taken
    Figures figures_ GUARDED_BY(mutex_);
};

}  // namespace sluice
