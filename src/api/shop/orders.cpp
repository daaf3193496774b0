#include "api/shop/orders.hpp"

#include <boost/json/array.hpp>

#include "api/answers.hpp"
#include "api/json_reader.hpp"
#include "app/catalog/json_view.hpp"

namespace sluice::api {

using http::Code;

http::Pending Orders::list(http::Exchange& exchange) {
    const auto page = page_of(exchange);
    if (!page) return std::nullopt;
    const auto before = page->before ? std::optional(OrderId{*page->before}) : std::nullopt;
    return show_page(exchange, before, page->limit);
}

Task<> Orders::show_page(http::Exchange& exchange, std::optional<OrderId> before,
                         std::size_t limit) {
    const auto orders = co_await ledger_.orders(exchange.caller->id, before, limit + 1);
    std::vector<OrderId> shown;
    for (const auto& order : orders) shown.push_back(order.id);
    auto deliveries = co_await deliveries_.find(std::move(shown));
    boost::json::array rows;
    for (std::size_t i = 0; i < std::min(orders.size(), limit); ++i) {
        auto row = order_json(orders[i], catalog_);
        add_delivery(row, deliveries[orders[i].id]);
        rows.push_back(std::move(row));
    }
    boost::json::object json{{"orders", std::move(rows)}, {"next_cursor", nullptr}};
    if (orders.size() > limit) json["next_cursor"] = orders[limit - 1].id.text();
    answer(exchange, 200, json);
}

http::Pending Orders::show(http::Exchange& exchange) {
    const auto id = order_in_path(exchange);
    if (!id) return std::nullopt;
    return look_up(exchange, *id);
}

Task<> Orders::look_up(http::Exchange& exchange, OrderId id) {
    const auto order = co_await ledger_.order(id, exchange.caller->id);
    if (!order) {
        refuse_as_absent(exchange);
        co_return;
    }
    std::vector<OrderId> asked(1, id);
    auto deliveries = co_await deliveries_.find(std::move(asked));
    auto json = order_json(*order, catalog_);
    add_delivery(json, deliveries[id]);
    answer(exchange, 200, json);
}

http::Pending Orders::cancel(http::Exchange& exchange) {
    const auto id = order_in_path(exchange);
    if (!id) return std::nullopt;
    JsonReader in(exchange, true);
    if (!in.finish()) return std::nullopt;
    return carry_out_cancel(exchange, *id);
}

Task<> Orders::carry_out_cancel(http::Exchange& exchange, OrderId id) {
    const auto order = co_await give_back_.cancel(id, exchange.caller->id);
    if (!order && order.error().reason == Reason::not_found) {
        refuse_as_absent(exchange);
        co_return;
    }
    if (!order) {
        answer(exchange, order.error());
        co_return;
    }
    answer(exchange, 200, order_json(*order, catalog_));
}

/// The order in the path. Answers with a problem when it is no id, or was asked for before and does
/// not exist.
std::optional<OrderId> Orders::order_in_path(http::Exchange& exchange) const {
    const auto& text = exchange.parameters[0];
    auto id = OrderId::parse(text);
    if (id && absences_.contains({exchange.caller->id.value, text}, exchange.began)) id.reset();
    if (!id) exchange.refuse(Code::not_found);
    return id;
}

void Orders::refuse_as_absent(http::Exchange& exchange) {
    absences_.note({exchange.caller->id.value, exchange.parameters[0]}, exchange.began);
    exchange.refuse(Code::not_found);
}

boost::json::object order_json(const Order& order, const Catalog& catalog) {
    boost::json::object json{{"id", order.id.text()},
                             {"sale_id", order.sale_id.text()},
                             {"sale_name", ""},
                             {"ticket", order.ticket.text()},
                             {"item", nullptr},
                             {"quantity", order.quantity},
                             {"price_cents", order.price_cents},
                             {"total_cents", order.total_cents()},
                             {"currency", order.currency},
                             {"state", to_string(order.state)},
                             {"created_at", to_rfc3339(order.created_at)},
                             {"expires_at", to_rfc3339(order.expires_at)}};
    if (const auto sale = catalog.sale(order.sale_id)) json["sale_name"] = sale->sale.name;
    if (const auto item = catalog.item(order.item_id)) json["item"] = to_json(*item);
    if (order.payment_failed) json["payment_failed"] = true;
    if (order.paid_at) json["paid_at"] = to_rfc3339(*order.paid_at);
    return json;
}

void add_delivery(boost::json::object& order, const OrderDelivery& delivery) {
    if (delivery.state == OrderDeliveryState::none) return;
    order["delivery"] = boost::json::object{{"state", to_string(delivery.state)},
                                            {"carrier", delivery.carrier},
                                            {"number", delivery.number},
                                            {"changed_at", time_or_null(delivery.changed_at)}};
}

}  // namespace sluice::api
