#include "app/alerts/alert_desk.hpp"

#include <algorithm>

namespace sluice {

AlertDesk::AlertDesk(Options options, std::vector<AlertBox*> boxes,
                     std::function<bool()> is_on_duty, const Clock& clock)
    : options_(std::move(options)),
      boxes_(std::move(boxes)),
      is_on_duty_(std::move(is_on_duty)),
      clock_(clock) {}

void AlertDesk::note(AlertKind kind, std::string subject, std::string detail) {
    if (!should_send(kind)) return;
    const auto now = clock_.now();
    {
        const MutexLock lock(mutex_);
        auto* const known = remember({kind, subject}, now);
        if (!known || is_quiet(*known, now)) return;
        known->told_at = now;
    }
    tell({.kind = kind,
          .phase = AlertPhase::event,
          .subject = std::move(subject),
          .detail = std::move(detail),
          .at = now});
}

void AlertDesk::report(AlertKind kind, std::string subject, std::optional<std::string> trouble) {
    const auto now = clock_.now();
    const bool may = should_send(kind);
    {
        const MutexLock lock(mutex_);
        if (!trouble && !known_.contains({kind, subject})) return;
        auto* const known = remember({kind, subject}, now);
        if (!known) return;
        if (!trouble) {
            known->since.reset();
            if (!std::exchange(known->is_told, false) || !may) return;
        } else {
            // A time in the future comes from a clock that was set back since.
            if (!known->since || *known->since > now) known->since = now;
            const bool lasts = now - *known->since >= options_.lasting;
            if (known->is_told || !lasts || !may || is_quiet(*known, now)) return;
            known->is_told = true;
            known->told_at = now;
        }
    }
    tell({.kind = kind,
          .phase = trouble ? AlertPhase::begun : AlertPhase::over,
          .subject = std::move(subject),
          .detail = std::move(trouble).value_or(""),
          .at = now});
}

Task<AlertBox::Answer> AlertDesk::test(AlertBox& box) {
    Alert alert;
    alert.at = clock_.now();
    AlertMessage message;
    {
        const MutexLock lock(mutex_);
        message = message_of(std::move(alert));
    }
    return box.test(std::move(message));
}

AlertBox* AlertDesk::find(std::string_view name) const {
    const auto found =
        std::ranges::find_if(boxes_, [&](const AlertBox* box) { return box->name() == name; });
    return found == boxes_.end() ? nullptr : *found;
}

std::vector<Alert> AlertDesk::latest() const {
    const MutexLock lock(mutex_);
    return {latest_.rbegin(), latest_.rend()};
}

bool AlertDesk::is_quiet(const Known& known, Timestamp now) const {
    return known.told_at && *known.told_at <= now && now - *known.told_at < options_.quiet;
}

/// Returns nullptr when so many troubles are known that this one is ignored.
AlertDesk::Known* AlertDesk::remember(Key key, Timestamp now) {
    if (known_.size() >= kMostKnown && !known_.contains(key)) forget_old(now);
    if (known_.size() >= kMostKnown && !known_.contains(key)) return nullptr;
    return &known_[std::move(key)];
}

void AlertDesk::forget_old(Timestamp now) {
    std::erase_if(known_, [&](const auto& entry) {
        const auto& known = entry.second;
        return !known.since && !known.is_told && !is_quiet(known, now);
    });
}

AlertMessage AlertDesk::message_of(Alert alert) {
    const auto at = alert.at;
    return make_message(std::to_string(to_millis(at)) + '-' + std::to_string(++messages_),
                        std::move(alert), options_.from, options_.language);
}

void AlertDesk::tell(Alert alert) {
    const auto now = alert.at;
    AlertMessage message;
    {
        const MutexLock lock(mutex_);
        message = message_of(std::move(alert));
        latest_.push_back(message.alert);
        if (latest_.size() > kLatest) latest_.pop_front();
    }
    for (auto* const box : boxes_) box->put(message, now);
}

}  // namespace sluice
