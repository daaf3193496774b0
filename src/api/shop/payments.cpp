#include "api/shop/payments.hpp"

#include <boost/json/serialize.hpp>

#include "api/absolute_url.hpp"
#include "api/answers.hpp"
#include "api/in_path.hpp"
#include "api/json_reader.hpp"

namespace sluice::api {

http::Pending Payments::begin(http::Exchange& exchange) {
    const auto order = id_in_path<OrderId>(exchange);
    if (!order) return std::nullopt;
    JsonReader in(exchange, true);
    if (!in.finish()) return std::nullopt;
    // Each order counts as a route of its own: a key that was used for another order is no
    // repetition.
    const auto whose = exchange.caller->id.text() + ":" + order->text();
    std::optional<Receipt> receipt;
    if (!receipts_.make(exchange, whose, receipt)) return std::nullopt;
    return carry_out(exchange, *order, std::move(receipt));
}

Task<> Payments::carry_out(http::Exchange& exchange, OrderId order,
                           std::optional<Receipt> receipt) {
    const bool replayed = co_await receipts_.replay(exchange, receipt);
    if (replayed) co_return;
    auto begun = co_await pay_.begin(order, exchange.caller->id);
    if (!begun) {
        answer(exchange, begun.error());
        co_return;
    }
    const auto& payment = begun->payment;
    const boost::json::object json{
        {"payment_id", payment.id.text()},
        {"state", to_string(payment.state)},
        {"pay_url", absolute_url(exchange.request, public_url_, payment.bill->url)}};
    auto body = boost::json::serialize(json);
    if (receipt) receipt->answer = body;
    const auto kept = co_await pay_.keep(std::move(*begun), std::move(receipt));
    answer_created(exchange, kept, std::move(body));
}

}  // namespace sluice::api
