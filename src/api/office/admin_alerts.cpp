#include "api/office/admin_alerts.hpp"

#include <boost/json/array.hpp>

#include "api/answers.hpp"
#include "api/json_reader.hpp"

namespace sluice::api {
namespace {

boost::json::object channel_json(const AlertBox& box) {
    const auto figures = box.figures();
    boost::json::object json{
        {"name", box.name()},         {"to", box.to()},
        {"waiting", figures.waiting}, {"sent", figures.sent},
        {"failed", figures.failed},   {"last_sent_at", time_or_null(figures.last_sent)},
        {"last_failure", nullptr}};
    if (const auto& failure = figures.last_failure)
        json["last_failure"] =
            boost::json::object{{"at", to_rfc3339(failure->at)}, {"reason", failure->reason}};
    return json;
}

boost::json::object alert_json(const Alert& alert, http::Language language) {
    return {{"kind", to_string(alert.kind)}, {"phase", to_string(alert.phase)},
            {"subject", alert.subject},      {"headline", headline_of(alert, language)},
            {"detail", alert.detail},        {"at", to_rfc3339(alert.at)}};
}

}  // namespace

http::Pending AdminAlerts::list(http::Exchange& exchange) {
    boost::json::array channels, alerts;
    for (const auto* const box : desk_.boxes()) channels.push_back(channel_json(*box));
    for (const auto& alert : desk_.latest())
        alerts.push_back(alert_json(alert, exchange.context.language));
    answer(exchange, 200,
           {{"channels", std::move(channels)},
            {"alerts", std::move(alerts)},
            {"on_duty", desk_.is_on_duty()},
            {"quiet_minutes", desk_.quiet().count()}});
    return std::nullopt;
}

http::Pending AdminAlerts::test(http::Exchange& exchange) {
    auto* const box = desk_.find(exchange.parameters[0]);
    if (!box) {
        exchange.refuse(http::Code::not_found);
        return std::nullopt;
    }
    JsonReader in(exchange, true);
    if (!in.finish()) return std::nullopt;
    return tell(exchange, *box);
}

Task<> AdminAlerts::tell(http::Exchange& exchange, AlertBox& box) {
    const auto told = co_await desk_.test(box);
    answer(exchange, 200,
           {{"channel", box.name()},
            {"sent", told.told == AlertChannel::Told::taken},
            {"reason", told.reason}});
}

}  // namespace sluice::api
