#include "app/catalog/json_view.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

namespace sluice {
namespace {

boost::json::value time_or_null(const std::optional<Timestamp>& time) {
    if (!time) return nullptr;
    return boost::json::value(to_rfc3339(*time));
}

boost::json::value number_or_null(const std::optional<std::int64_t>& number) {
    if (!number) return nullptr;
    return *number;
}

boost::json::array texts(const std::vector<std::string>& list) {
    return boost::json::array(list.begin(), list.end());
}

}  // namespace

boost::json::object to_json(const Item& item) {
    return {{"id", item.id.text()},
            {"title", item.title},
            {"description", item.description},
            {"image_url", item.image_url},
            {"list_price_cents", item.list_price_cents},
            {"currency", item.currency},
            {"category", item.category},
            {"pictures", texts(item.pictures)},
            {"archived", item.archived}};
}

boost::json::object to_json(const Sale& sale) {
    return {{"id", sale.id.text()},
            {"item_id", sale.item_id.text()},
            {"kind", to_string(sale.kind)},
            {"price_cents", sale.price_cents},
            {"currency", sale.currency},
            {"starts_at", to_rfc3339(sale.starts_at)},
            {"ends_at", time_or_null(sale.ends_at)},
            {"ended_at", time_or_null(sale.ended_at)},
            {"paused", sale.paused},
            {"stock", to_json(sale.stock)},
            {"limit_per_buyer", sale.limit_per_buyer},
            {"hold_seconds", sale.hold_seconds},
            {"challenge", to_string(sale.challenge)},
            {"challenge_alternative", to_string(sale.challenge_alternative)},
            {"challenge_bits", number_or_null(sale.challenge_bits)},
            {"gate_factor", sale.gate_factor},
            {"unpaid_limit", sale.unpaid_limit},
            {"name", sale.name},
            {"campaign", sale.campaign},
            {"tags", texts(sale.tags)},
            {"audience", to_string(sale.audience)},
            {"listed_until", time_or_null(sale.listed_until)}};
}

boost::json::object to_json(const Stock& stock) {
    return {
        {"total", stock.total}, {"left", stock.left}, {"held", stock.held}, {"sold", stock.sold}};
}

boost::json::object to_json(const User& user) {
    return {{"id", user.id.text()}, {"phone", user.phone}, {"name", user.name}};
}

boost::json::object to_json(const Block& block) {
    const bool buyer = std::holds_alternative<UserId>(block.subject);
    return {{"subject", to_string(block.subject)},
            {"kind", buyer ? "buyer" : "address"},
            {"reason", block.reason},
            {"until", time_or_null(block.until)},
            {"at", to_rfc3339(block.at)},
            {"by", block.by.text()}};
}

boost::json::object to_json(const Webhook& webhook) {
    boost::json::array events;
    for (const auto type : webhook.events) events.emplace_back(to_string(type));
    return {{"id", webhook.id.text()},
            {"url", webhook.url},
            {"events", std::move(events)},
            {"created_at", to_rfc3339(webhook.created_at)}};
}

boost::json::object to_json(const Delivery& delivery) {
    boost::json::object json{{"id", delivery.id.text()},
                             {"event_id", delivery.id.event.text()},
                             {"event", to_string(delivery.type)},
                             {"state", to_string(delivery.state)},
                             {"attempts", delivery.attempts},
                             {"created_at", to_rfc3339(delivery.created_at)},
                             {"next_attempt_at", time_or_null(delivery.next_attempt_at)},
                             {"last_attempt_at", time_or_null(delivery.last_attempt_at)},
                             {"last_status", number_or_null(delivery.last_status)},
                             {"last_error", nullptr},
                             {"delivered_at", time_or_null(delivery.delivered_at)}};
    if (delivery.last_error) json["last_error"] = *delivery.last_error;
    if (delivery.order) json["order_id"] = delivery.order->text();
    if (delivery.sale) json["sale_id"] = delivery.sale->text();
    return json;
}

std::string role_json(Role role) {
    return boost::json::serialize(boost::json::object{{"role", to_string(role)}});
}

}  // namespace sluice
