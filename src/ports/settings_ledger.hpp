#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/task.hpp"
#include "domain/deed.hpp"

namespace sluice {

/// What operators have set while running: numbers by name. What a name means, and which numbers are
/// sensible, is the caller's business.
class SettingsLedger {
  public:
    virtual ~SettingsLedger() = default;

    struct Setting {
        std::string name;
        std::int64_t value = 0;

        friend bool operator==(const Setting&, const Setting&) = default;
    };
    /// By name. May throw Outage.
    virtual Task<std::vector<Setting>> load() = 0;

    struct Change {
        std::string name;
        std::optional<std::int64_t> value;  // none: forgotten, as if it had never been set
    };
    /// All of them and the deed in one step; others stay as they are. May throw Outage, and may be
    /// repeated then.
    virtual Task<Done> change(std::vector<Change> changes, Deed deed) = 0;
};

}  // namespace sluice
