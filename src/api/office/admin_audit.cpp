#include "api/office/admin_audit.hpp"

#include <boost/json/array.hpp>

#include "api/answers.hpp"
#include "api/in_path.hpp"

namespace sluice::api {

namespace {

std::string drift_text(const HotCopyFinding& finding) {
    if (!finding.drift) return "";
    return "at " + to_rfc3339(finding.drift->seen_at) + ": " + finding.drift->difference;
}

AuditReport::Check check_hot_copy(const HotCopyFinding& finding) {
    using State = HotCopyFinding::State;
    AuditReport::Check check{.name = "hot copy", .holds = true, .detail = {}};
    switch (finding.state) {
        case State::none:
            check.detail = "the sale needs no hot copy, or has just begun to have one";
            break;
        case State::cold:
            check.holds = false;
            check.detail = "there is no hot copy, so nothing can be sold, since " +
                           to_rfc3339(finding.cold_since.value_or(Timestamp{}));
            break;
        case State::drifting:
            check.holds = false;
            check.detail = "it differs from the ledger, seen " + drift_text(finding);
            break;
        case State::warm:
            check.detail = finding.compared_at
                               ? "it agreed with the ledger at " + to_rfc3339(*finding.compared_at)
                               : "it has not been at rest to be compared yet";
            if (finding.drift)
                check.detail += "; filled anew after a drift, seen " + drift_text(finding);
    }
    return check;
}

}  // namespace

http::Pending AdminAudit::audit(http::Exchange& exchange) {
    const auto displayed = sale_in_path(exchange, catalog_);
    if (!displayed) return std::nullopt;
    return show(exchange, displayed->sale.id);
}

Task<> AdminAudit::show(http::Exchange& exchange, SaleId sale) {
    auto report = co_await auditor_.audit(sale);
    if (!report) {
        answer(exchange, report.error());
        co_return;
    }
    report->checks.push_back(check_hot_copy(hot_copies_(sale)));
    boost::json::array checks;
    for (const auto& check : report->checks)
        checks.push_back({{"name", check.name}, {"holds", check.holds}, {"detail", check.detail}});
    answer(exchange, 200, {{"holds", report->holds()}, {"checks", std::move(checks)}});
}

}  // namespace sluice::api
