#include "api/admin_audit.hpp"

#include <boost/json/array.hpp>

#include "api/answers.hpp"

namespace sluice::api {

http::Pending AdminAudit::audit(http::Exchange& exchange) {
    const auto sale = SaleId::parse(exchange.parameters[0]);
    if (!sale || !catalog_.sale(*sale)) {
        exchange.refuse(http::Code::not_found);
        return std::nullopt;
    }
    return show(exchange, *sale);
}

Task<> AdminAudit::show(http::Exchange& exchange, SaleId sale) {
    const auto report = co_await auditor_.audit(sale);
    if (!report) {
        answer(exchange, report.error());
        co_return;
    }
    boost::json::array checks;
    for (const auto& check : report->checks)
        checks.push_back({{"name", check.name}, {"holds", check.holds}, {"detail", check.detail}});
    answer(exchange, 200, {{"holds", report->holds()}, {"checks", std::move(checks)}});
}

}  // namespace sluice::api
