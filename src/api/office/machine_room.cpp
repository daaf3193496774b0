#include "api/office/machine_room.hpp"

#include <algorithm>

#include <boost/json/array.hpp>

#include "api/answers.hpp"
#include "api/office/notice_json.hpp"
#include "api/openapi_document.hpp"

namespace sluice::api {

MachineRoom::MachineRoom(CheckUp check_up, MetricsPage& metrics, const gate::Insiders& insiders)
    : check_up_(std::move(check_up)), metrics_(metrics), insiders_(insiders) {
    document_.type = "application/json";
    document_.plain = openapi::files.front().second;
    document_.gzip = http::Gzip(http::Gzip::Effort::small).compress(document_.plain);
    document_.finish();
}

http::Pending MachineRoom::livez(http::Exchange& exchange) {
    exchange.response.content_type = "text/plain; charset=utf-8";
    exchange.response.lend("alive\n");
    return std::nullopt;
}

http::Pending MachineRoom::readyz(http::Exchange& exchange) {
    const auto parts = check_up_();
    const bool ready = std::ranges::all_of(parts, &PartHealth::ready);
    boost::json::object body{{"ready", ready}};
    if (insiders_.include(exchange)) {
        boost::json::array rows;
        for (const auto& part : parts)
            rows.push_back({{"name", part.name},
                            {"ready", part.ready},
                            {"detail", text_of(part.notices)},
                            {"notices", to_json(part.notices, exchange.context.language)}});
        body["parts"] = std::move(rows);
    }
    if (!ready) http::write_retry_after(exchange.response, 1);
    answer(exchange, ready ? 200 : 503, body);
    return std::nullopt;
}

http::Pending MachineRoom::metrics(http::Exchange& exchange) {
    if (!insiders_.include(exchange)) {
        exchange.refuse(http::Code::not_found);
        return std::nullopt;
    }
    exchange.response.content_type = "text/plain; version=0.0.4; charset=utf-8";
    exchange.response.body = metrics_.text();
    return std::nullopt;
}

http::Pending MachineRoom::openapi(http::Exchange& exchange) {
    document_.answer(exchange);
    return std::nullopt;
}

}  // namespace sluice::api
