#pragma once

#include <functional>

#include "ports/auditor.hpp"

namespace sluice {

/// An auditor that also reports each check that fails.
class WatchedAuditor final : public Auditor {
  public:
    /// Called on the thread on which the audit was asked for.
    using OnFailure = std::function<void(const AuditReport::Check&)>;

    WatchedAuditor(Auditor& auditor, OnFailure on_failure)
        : auditor_(auditor), on_failure_(std::move(on_failure)) {}

    Task<Outcome<AuditReport>> audit(std::optional<SaleId> sale) override {
        auto report = co_await auditor_.audit(sale);
        if (report)
            for (const auto& check : report->checks)
                if (!check.holds) on_failure_(check);
        co_return report;
    }

  private:
    Auditor& auditor_;
    const OnFailure on_failure_;
};

}  // namespace sluice
