#include "api/office/admin_orders.hpp"

#include <boost/json/array.hpp>

#include "api/answers.hpp"
#include "api/in_path.hpp"
#include "api/json_reader.hpp"
#include "api/payment_words.hpp"
#include "api/shop/contacts.hpp"
#include "api/shop/orders.hpp"

namespace sluice::api {
namespace {

boost::json::object to_json(const Payment& payment, std::string_view state) {
    return {{"payment_id", payment.id.text()},
            {"provider", payment.provider},
            {"provider_ref", payment.bill ? boost::json::value(payment.bill->ref) : nullptr},
            {"state", state},
            {"amount_cents", payment.amount_cents},
            {"currency", payment.currency},
            {"created_at", to_rfc3339(payment.created_at)}};
}

boost::json::object to_json(const PaymentLedger::History::Refund& refund, ChargeId id) {
    return {{"refund_id", id.text()},
            {"reason", refund.reason},
            {"state", refund.done_at ? "done" : "owed"},
            {"by_hand", refund.by_hand},
            {"attempts", refund.attempts},
            {"owed_at", to_rfc3339(refund.owed_at)},
            {"done_at", time_or_null(refund.done_at)}};
}

boost::json::object to_json(const PaymentLedger::History::Money& money) {
    boost::json::object json{
        {"charge_id", money.charge.ref},     {"payment_id", money.payment.text()},
        {"provider", money.provider},        {"amount_cents", money.charge.amount_cents},
        {"currency", money.charge.currency}, {"captures", money.captures},
        {"at", to_rfc3339(money.at)},        {"refund", nullptr}};
    if (money.refund) json["refund"] = to_json(*money.refund, money.charge.id);
    return json;
}

boost::json::object to_json(const PaymentLedger::History::Event& event) {
    return {{"event_id", event.id},
            {"payment_id", event.payment.text()},
            {"type", event.type},
            {"outcome", shown_outcome(event.outcome)},
            {"at", to_rfc3339(event.at)}};
}

/// The end of a phone: enough to tell people of the same name apart.
std::string end_of(const std::string& phone) {
    constexpr std::size_t shown = 4;
    return phone.size() <= shown ? phone : "…" + phone.substr(phone.size() - shown);
}

/// A list has many phones, and only those who may export them see them whole.
boost::json::object to_json(const OrderList::Row& row, const Catalog& catalog, Role role) {
    auto json = order_json(row.order, catalog);
    json["buyer_id"] = row.order.buyer.text();
    json["buyer_phone"] = may_operate(role) ? row.buyer_phone : end_of(row.buyer_phone);
    json["buyer_name"] = row.buyer_name;
    add_delivery(json, row.delivery);
    return json;
}

template <class Rows>
boost::json::array all(const Rows& rows) {
    boost::json::array json;
    for (const auto& row : rows) json.push_back(to_json(row));
    return json;
}

}  // namespace

http::Pending AdminOrders::list(http::Exchange& exchange) {
    const auto page = page_of(exchange);
    if (!page) return std::nullopt;
    auto wish = order_wish(exchange);
    if (!wish) return std::nullopt;
    wish->orders.limit = page->limit;
    if (page->before) wish->orders.before = OrderId{*page->before};
    return show_page(exchange, std::move(*wish));
}

Task<> AdminOrders::show_page(http::Exchange& exchange, OrderWish wish) {
    const auto limit = wish.orders.limit++;
    auto wanted = co_await buyers_.narrow(std::move(wish.orders), std::move(wish.whose));
    if (!wanted) {
        answer(exchange, wanted.error());
        co_return;
    }
    const auto rows = co_await list_.list(std::move(*wanted));
    boost::json::array orders;
    for (std::size_t i = 0; i < std::min(rows.size(), limit); ++i)
        orders.push_back(to_json(rows[i], catalog_, exchange.caller->role));
    boost::json::object json{{"orders", std::move(orders)}, {"next_cursor", nullptr}};
    if (rows.size() > limit) json["next_cursor"] = rows[limit - 1].order.id.text();
    answer(exchange, 200, json);
}

http::Pending AdminOrders::show(http::Exchange& exchange) {
    const auto id = id_in_path<OrderId>(exchange);
    if (!id) return std::nullopt;
    return look_up(exchange, *id);
}

Task<> AdminOrders::look_up(http::Exchange& exchange, OrderId id) {
    const auto history = co_await ledger_.history(id);
    if (!history) {
        exchange.refuse(http::Code::not_found);
        co_return;
    }
    const auto buyer = co_await users_.find(history->order.buyer);
    std::vector<OrderId> asked(1, id);
    auto deliveries = co_await deliveries_.find(std::move(asked));
    auto json = order_json(history->order, catalog_);
    add_delivery(json, deliveries[id]);
    std::vector<OrderId> whose(1, id);
    const auto contacts = co_await contacts_.of_orders(std::move(whose));
    json["contact"] = nullptr;
    if (const auto contact = contacts.find(id); contact != contacts.end())
        json["contact"] = to_json(contact->second);
    json["buyer_id"] = history->order.buyer.text();
    json["buyer_phone"] = buyer ? buyer->phone : "";
    json["buyer_name"] = buyer ? buyer->name : "";
    auto& payments = json["payments"].emplace_array();
    for (const auto& payment : history->payments)
        payments.push_back(to_json(payment, shown_state(payment, history->money)));
    json["charges"] = all(history->money);
    json["events"] = all(history->events);
    answer(exchange, 200, json);
}

http::Pending AdminOrders::refund(http::Exchange& exchange) {
    const auto id = id_in_path<OrderId>(exchange);
    if (!id) return std::nullopt;
    JsonReader in(exchange, true);
    if (!in.finish()) return std::nullopt;
    return carry_out_refund(exchange, *id);
}

Task<> AdminOrders::carry_out_refund(http::Exchange& exchange, OrderId id) {
    auto actor = actor_of(exchange);
    const auto refunded = co_await give_back_.refund(id, std::move(actor));
    if (!refunded) {
        answer(exchange, refunded.error());
        co_return;
    }
    co_await look_up(exchange, id);
}

http::Pending AdminOrders::note_sent_back(http::Exchange& exchange) {
    const auto refund = id_in_path<ChargeId>(exchange);
    if (!refund) return std::nullopt;
    JsonReader in(exchange, true);
    if (!in.finish()) return std::nullopt;
    return carry_out_note(exchange, *refund);
}

Task<> AdminOrders::carry_out_note(http::Exchange& exchange, ChargeId refund) {
    auto actor = actor_of(exchange);
    const auto order = co_await give_back_.note_sent_back(refund, provider_, std::move(actor));
    if (!order) {
        answer(exchange, order.error());
        co_return;
    }
    co_await look_up(exchange, *order);
}

http::Pending AdminOrders::deliver(http::Exchange& exchange) {
    const auto id = id_in_path<OrderId>(exchange);
    if (!id) return std::nullopt;
    JsonReader in(exchange);
    OrderDeliveryWish wish{.state = in.word("state", parse_order_delivery_state,
                                            "none, preparing, shipped, delivered"),
                           .carrier = in.text("carrier"),
                           .number = in.text("number")};
    if (!in.finish()) return std::nullopt;
    return carry_out_delivery(exchange, *id, std::move(wish));
}

Task<> AdminOrders::carry_out_delivery(http::Exchange& exchange, OrderId id,
                                       OrderDeliveryWish wish) {
    auto actor = actor_of(exchange);
    const auto changed = co_await delivery_desk_.change(id, std::move(wish), std::move(actor));
    if (!changed) {
        answer(exchange, changed.error());
        co_return;
    }
    co_await look_up(exchange, id);
}

}  // namespace sluice::api
