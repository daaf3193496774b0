#include "api/office/webhook_body.hpp"

#include <boost/json/serialize.hpp>

#include "api/shop/orders.hpp"
#include "api/shop/shop_window.hpp"

namespace sluice::api {
namespace {

std::optional<std::string> data_of(const WebhookEvent& event, const Catalog& catalog) {
    if (event.order) {
        auto order = order_json(*event.order, catalog);
        order["buyer_id"] = event.order->buyer.text();
        return boost::json::serialize(order);
    }
    const auto sale = event.sale ? catalog.sale(*event.sale) : nullptr;
    if (!sale) return std::nullopt;
    std::string data;
    append_sale(data, *sale, event.stock, event.at);
    return data;
}

}  // namespace

std::optional<std::string> webhook_body(const WebhookEvent& event, const Catalog& catalog) {
    const auto data = data_of(event, catalog);
    if (!data) return std::nullopt;
    auto head = boost::json::serialize(boost::json::object{{"id", event.id.text()},
                                                           {"type", to_string(event.type)},
                                                           {"created_at", to_rfc3339(event.at)}});
    head.pop_back();
    return head + ",\"data\":" + *data + "}";
}

}  // namespace sluice::api
