#include "api/office/order_filter.hpp"

#include <string_view>

namespace sluice::api {
namespace {

/// Nothing when the parameter is absent; a complaint when it cannot be read.
template <class Parse>
auto read(const http::Exchange& exchange, std::string_view name, Parse parse,
          const Complaint& complaint, std::vector<FieldError>& errors) {
    const auto given = exchange.request.parameter(name);
    decltype(parse(std::string_view{})) value;
    if (given.absent()) return value;
    value = parse(given.text);
    if (!value) errors.push_back({std::string(name), complaint});
    return value;
}

/// A parameter that cannot be decoded is not a text. BuyerSearch::check() reports an empty one.
std::optional<std::string> text_if_given(const http::Exchange& exchange, std::string_view name) {
    const auto given = exchange.request.parameter(name);
    if (given.absent()) return std::nullopt;
    return given.text;
}

}  // namespace

std::optional<OrderWish> order_wish(http::Exchange& exchange) {
    const Complaint is_id = Rule::not_id;
    const Complaint is_instant(Rule::not_time, "2026-11-11T20:00:00Z");
    std::vector<FieldError> errors;
    OrderWish wish;
    auto& wanted = wish.orders;
    wanted.sale = read(exchange, "sale_id", SaleId::parse, is_id, errors);
    wanted.state =
        read(exchange, "state", parse_order_state,
             Complaint(Rule::one_of, "pending, paid, expired, cancelled, refunded"), errors);
    wanted.buyer = read(exchange, "buyer", UserId::parse, is_id, errors);
    wanted.money = read(exchange, "money", parse_order_money,
                        Complaint(Rule::one_of, "late, surplus, mismatch, owed"), errors);
    wanted.delivery = read(exchange, "delivery", parse_order_delivery_state,
                           Complaint(Rule::one_of, "none, preparing, shipped, delivered"), errors);
    wanted.from = read(exchange, "created_from", parse_rfc3339, is_instant, errors);
    wanted.until = read(exchange, "created_to", parse_rfc3339, is_instant, errors);
    wish.whose = {.phone = text_if_given(exchange, "phone"),
                  .name = text_if_given(exchange, "buyer_name")};
    for (auto& error : BuyerSearch::check(wish.whose)) errors.push_back(std::move(error));
    if (errors.empty()) return wish;
    http::write_problem(exchange.response, http::Code::invalid, exchange.context, {}, errors);
    return std::nullopt;
}

}  // namespace sluice::api
