#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/task.hpp"
#include "domain/ids.hpp"
#include "domain/notice.hpp"
#include "domain/refusal.hpp"

namespace sluice {

/// The result of checking each promise against the stored data.
struct AuditReport {
    struct Check {
        std::string name;
        bool holds = true;
        std::string detail;  // the promise, or who breaks it; and what was accepted of it
        std::vector<std::string> findings = {};  // all who break it, as far as they can be listed
        std::vector<Notice> notices = {};        // the detail for people, in any language
    };
    std::vector<Check> checks;

    bool holds() const { return std::ranges::all_of(checks, &Check::holds); }
};

/// Checks the promises on the data of one instant, while buyers go on buying.
class Auditor {
  public:
    virtual ~Auditor() = default;

    /// For one sale or for all. Takes seconds on a million orders. Refuses with not_found; may
    /// throw Outage, and Overload when other audits wait.
    virtual Task<Outcome<AuditReport>> audit(std::optional<SaleId> sale) = 0;
};

}  // namespace sluice
