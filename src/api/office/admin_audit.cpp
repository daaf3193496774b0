#include "api/office/admin_audit.hpp"

#include <boost/json/array.hpp>

#include "api/answers.hpp"
#include "api/in_path.hpp"
#include "api/office/notice_json.hpp"

namespace sluice::api {

namespace {

Notice notice_of(NoticeRule rule, const HotCopyFinding::Drift& drift) {
    return Notice{rule, to_rfc3339(drift.seen_at)}.with(drift.differences);
}

std::vector<Notice> notices_of(const HotCopyFinding& finding) {
    using State = HotCopyFinding::State;
    switch (finding.state) {
        case State::none:
            return {{NoticeRule::copy_not_needed}};
        case State::cold:
            return {
                {NoticeRule::copy_missing, to_rfc3339(finding.cold_since.value_or(Timestamp{}))}};
        case State::drifting:
            return {notice_of(NoticeRule::copy_drifting,
                              finding.drift.value_or(HotCopyFinding::Drift{}))};
        case State::warm:
            break;
    }
    std::vector<Notice> notices;
    if (finding.compared_at)
        notices.emplace_back(NoticeRule::copy_agreed, to_rfc3339(*finding.compared_at));
    else
        notices.emplace_back(NoticeRule::copy_not_compared);
    if (finding.drift) notices.push_back(notice_of(NoticeRule::copy_refilled, *finding.drift));
    return notices;
}

AuditReport::Check check_hot_copy(const HotCopyFinding& finding) {
    using State = HotCopyFinding::State;
    auto notices = notices_of(finding);
    auto detail = text_of(notices);
    return {.name = "hot copy",
            .holds = finding.state != State::cold && finding.state != State::drifting,
            .detail = std::move(detail),
            .notices = std::move(notices)};
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
        checks.push_back({{"name", check.name},
                          {"holds", check.holds},
                          {"detail", check.detail},
                          {"notices", to_json(check.notices, exchange.context.language)}});
    answer(exchange, 200, {{"holds", report->holds()}, {"checks", std::move(checks)}});
}

}  // namespace sluice::api
