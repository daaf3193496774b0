#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/task.hpp"
#include "domain/deed.hpp"

namespace sluice {

/// What operators have set at run time, as numbers by name, and the ticket key. The caller decides
/// what a name means, and which numbers are sensible.
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
    /// All of them and the deed in one step; other settings stay. May throw Outage, and may be
    /// repeated then.
    virtual Task<Done> change(std::vector<Change> changes, Deed deed) = 0;

    /// The key of the marks in the journal: the first one that was ever offered to this ledger. It
    /// is stored with the marks and so is in every backup. May throw Outage.
    using TicketKey = std::array<unsigned char, 32>;
    virtual Task<TicketKey> ticket_key(TicketKey offered) = 0;
};

}  // namespace sluice
