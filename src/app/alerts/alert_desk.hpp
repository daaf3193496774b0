#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/alerts/alert_box.hpp"
#include "base/mutex.hpp"
#include "ports/clock.hpp"

namespace sluice {

/// Decides which alerts operators get. Every channel gets the same. An alert of the same kind and
/// subject is told once in `quiet`, and the end of a trouble only if its begin was told. Troubles
/// that all nodes can see are told by the node on duty. The other nodes follow them too, so that a
/// node that comes on duty does not tell old ones again. Safe from any thread.
class AlertDesk {
  public:
    struct Options {
        std::string from;  // which shop, and which node of it
        Language language = Language::en;
        std::chrono::minutes quiet{30};
        std::chrono::seconds lasting{10};  // a trouble that ends sooner is not told
    };

    static constexpr std::size_t kLatest = 50;
    static constexpr std::size_t kMostKnown = 4'096;  // alerts that are remembered

    AlertDesk(Options options, std::vector<AlertBox*> boxes, std::function<bool()> is_on_duty,
              const Clock& clock);

    /// Something has happened.
    void note(AlertKind kind, std::string subject, std::string detail);

    /// The present state of something: what is wrong with it, or nothing. To be called repeatedly.
    void report(AlertKind kind, std::string subject, std::optional<std::string> trouble);

    /// Tells one channel at once, and reports the outcome.
    Task<AlertBox::Answer> test(AlertBox& box);

    std::span<AlertBox* const> boxes() const { return boxes_; }
    AlertBox* find(std::string_view name) const;

    /// What was told, tests excluded. The newest first.
    std::vector<Alert> latest() const;
    bool is_on_duty() const { return is_on_duty_(); }
    std::chrono::minutes quiet() const { return options_.quiet; }

  private:
    using Key = std::pair<AlertKind, std::string>;
    struct Known {
        std::optional<Timestamp> since;    // since when the trouble is there
        std::optional<Timestamp> told_at;  // when it was told last
        bool is_told = false;              // its end has still to be told
    };

    bool should_send(AlertKind kind) const { return !is_about_shop(kind) || is_on_duty_(); }
    bool is_quiet(const Known& known, Timestamp now) const;
    Known* remember(Key key, Timestamp now) REQUIRES(mutex_);
    void forget_old(Timestamp now) REQUIRES(mutex_);
    AlertMessage message_of(Alert alert) REQUIRES(mutex_);
    void tell(Alert alert) EXCLUDES(mutex_);

    const Options options_;
    const std::vector<AlertBox*> boxes_;
    const std::function<bool()> is_on_duty_;
    const Clock& clock_;

    mutable Mutex mutex_;
    std::map<Key, Known> known_ GUARDED_BY(mutex_);
    std::deque<Alert> latest_ GUARDED_BY(mutex_);
    std::uint64_t messages_ GUARDED_BY(mutex_) = 0;
};

}  // namespace sluice
