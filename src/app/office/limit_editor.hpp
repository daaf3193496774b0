#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/office/actor.hpp"
#include "base/mutex.hpp"
#include "domain/rate_limits.hpp"
#include "domain/refusal.hpp"
#include "ports/clock.hpp"
#include "ports/settings_ledger.hpp"

namespace sluice {

/// The rate limits as operators see and change them. An operator's setting counts before the
/// configuration, and the configuration before the default. From any thread.
class LimitEditor {
  public:
    /// `apply` puts limits into force.
    using Apply = std::function<void(const RateLimits&)>;

    LimitEditor(SettingsLedger& ledger, const RateLimits& configured, Apply apply,
                const Clock& clock, IdSource& ids);

    /// At start, and when another process has changed the ledger: puts the operators' settings into
    /// force. Returns the names of settings that are no longer valid and are ignored. May throw
    /// Outage.
    Task<std::vector<std::string>> load();

    /// The configuration was read again; operators' settings still count before it. Returns the
    /// names of settings that contradict it now and are ignored.
    std::vector<std::string> reconfigure(const RateLimits& configured);

    enum class Source { by_default, config, operator_ };
    struct Shown {
        const RateSetting* setting;
        unsigned value = 0;
        Source source = Source::by_default;
    };
    /// In the order of kRateSettings.
    std::vector<Shown> show() const;

    struct Wish {
        const RateSetting* setting;
        std::optional<unsigned> value;  // within its range; none: the configured one
    };
    /// Stored and in force once it returns. Refuses with invalid, naming the fields, when the
    /// limits would contradict each other, and with conflict while another change is under way. May
    /// throw Outage.
    Task<Outcome<Done>> change(std::vector<Wish> wishes, Actor actor);

  private:
    using Overrides = std::array<std::optional<unsigned>, std::size(kRateSettings)>;
    struct Plan {
        Overrides overrides;
        std::vector<SettingsLedger::Change> changes;
        std::string before, after;  // for the audit trail
    };

    std::vector<std::string> adopt(const std::vector<SettingsLedger::Setting>& settings)
        REQUIRES(mutex_);
    Outcome<Plan> plan(const std::vector<Wish>& wishes) const REQUIRES(mutex_);
    RateLimits in_force(const Overrides& overrides) const REQUIRES(mutex_);
    /// Drops the settings that contradict the configuration, and returns their names.
    std::vector<std::string> drop_contradictions() REQUIRES(mutex_);

    SettingsLedger& ledger_;
    const Apply apply_;
    const Clock& clock_;
    IdSource& ids_;

    mutable Mutex mutex_;
    RateLimits configured_ GUARDED_BY(mutex_);
    Overrides overrides_ GUARDED_BY(mutex_);
    bool changing_ GUARDED_BY(mutex_) = false;  // one change at a time, or two could clash
    std::uint64_t changes_ GUARDED_BY(mutex_) = 0;
};

}  // namespace sluice
