#include "api/shop/buying.hpp"

#include "api/answers.hpp"
#include "api/idempotency.hpp"
#include "api/in_path.hpp"
#include "api/json_reader.hpp"
#include "api/prefer.hpp"

namespace sluice::api {
namespace {

using http::Code;

/// The reason of a rolled-back ticket, as the API writes it.
std::string_view name_of(Reason reason) {
    return http::name_of(code_of(reason));
}

FindTicket::Asked asked(const http::Exchange& exchange) {
    return {exchange.caller->id, exchange.parameters[0], exchange.began};
}

}  // namespace

http::Pending Buying::buy(http::Exchange& exchange) {
    const auto sale = id_in_path<SaleId>(exchange);
    if (!sale) return std::nullopt;
    const auto key = exchange.request.find_header(kIdempotencyKey);
    Wish wish{.sale = *sale,
              .pass = exchange.parameters[1],
              .key = key.value_or(std::string_view{}),
              .quantity = 1};
    if (!exchange.request.body.empty() || key) {
        JsonReader in(exchange, true);
        wish.quantity = in.whole_number("quantity").value_or(1);
        if (wish.quantity < 1) in.complain("quantity", Complaint(Rule::at_least, 1));
        if (key && !is_idempotency_key(*key)) in.complain(kIdempotencyKey, not_idempotency_key());
        if (!in.finish()) return std::nullopt;
    }
    auto attempt = turnstile_.consider(wish, *exchange.caller);
    if (!attempt) {
        answer(exchange, attempt.error());
        return std::nullopt;
    }
    const auto prefer = exchange.request.find_header(kPrefer).value_or(std::string_view{});
    return carry_out(exchange, std::move(*attempt), preferred_wait(prefer));
}

Task<> Buying::carry_out(http::Exchange& exchange, Purchase::Attempt attempt,
                         std::chrono::seconds wait) {
    auto outcome = co_await purchase_.carry_out(std::move(attempt));
    // Before the wait, since its client may leave meanwhile.
    if (outcome) networks_.note(outcome->id, exchange.client);
    if (outcome && outcome->state == TicketState::prepared)
        outcome = as_answer(co_await decisions_.wait(*outcome, exchange.caller->id, wait));
    if (!outcome) {
        answer(exchange, outcome.error());
        co_return;
    }
    const bool ordered = outcome->state == TicketState::committed;
    // Written by hand, because every successful purchase gets this answer.
    auto& body = exchange.response.body;
    body.append("{\"ticket\":\"").append(outcome->id.text());
    body.append("\",\"state\":\"").append(to_string(outcome->state));
    if (ordered) {
        body.append("\",\"order_id\":\"").append(outcome->order->text()).append("\"}");
    } else {
        body.append("\",\"wait_seconds\":");
        body.append(std::to_string(turnstile_.wait_seconds())).append("}");
    }
    exchange.response.status = ordered ? 201 : 202;
}

http::Pending Buying::show_ticket(http::Exchange& exchange) {
    const auto id = id_in_path<TicketId>(exchange);
    if (!id) return std::nullopt;
    auto by_id = asked(exchange);
    by_id.is_by_id = true;
    const auto question = find_ticket_.question_if_possible(id->sale, by_id);
    if (question) return show_found(exchange, find_ticket_.find(*id, *question));
    exchange.refuse(Code::not_found);
    return std::nullopt;
}

http::Pending Buying::show_my_ticket(http::Exchange& exchange) {
    const auto sale = id_in_path<SaleId>(exchange);
    if (!sale) return std::nullopt;
    const auto question = find_ticket_.question_if_possible(*sale, asked(exchange));
    if (question) return show_found(exchange, find_ticket_.find_latest(*sale, *question));
    exchange.refuse(Code::not_found);
    return std::nullopt;
}

Task<> Buying::show_found(http::Exchange& exchange, Task<std::optional<TicketRecord>> search) {
    const auto found = co_await std::move(search);
    if (found)
        answer(exchange, 200, ticket_json(*found, turnstile_.wait_seconds()));
    else
        exchange.refuse(Code::not_found);
}

boost::json::object ticket_json(const TicketRecord& record,
                                std::optional<std::int64_t> wait_seconds) {
    boost::json::object json{{"ticket", record.id.text()},
                             {"sale_id", record.id.sale.text()},
                             {"state", to_string(record.state)}};
    switch (record.state) {
        case TicketState::prepared:
            if (wait_seconds) json["wait_seconds"] = *wait_seconds;
            break;
        case TicketState::committed:
            json["order_id"] = record.order->text();
            break;
        case TicketState::rolled_back:
            json["reason"] = name_of(record.reason.value_or(Reason::sold_out));
            break;
    }
    return json;
}

}  // namespace sluice::api
