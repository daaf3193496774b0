#include "api/shop/buying.hpp"

#include <algorithm>

#include "api/answers.hpp"
#include "api/idempotency.hpp"
#include "api/in_path.hpp"
#include "api/json_reader.hpp"
#include "api/prefer.hpp"
#include "app/await_decision.hpp"

namespace sluice::api {
namespace {

using http::Code;

/// A rolled-back ticket's reason, as the API writes it.
std::string_view name_of(Reason reason) {
    return http::name_of(code_of(reason));
}

/// A claim on its way, as its buyer sees it.
TicketRecord queued(TicketId id) {
    TicketRecord record;
    record.id = id;
    return record;
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
    if (outcome && outcome->state == TicketState::prepared)
        outcome = as_answer(co_await await_decision(ledger_, *outcome, exchange.caller->id, wait));
    if (!outcome) {
        answer(exchange, outcome.error());
        co_return;
    }
    const bool ordered = outcome->state == TicketState::committed;
    // Written by hand, since every sale made passes here.
    auto& body = exchange.response.body;
    body.append("{\"ticket\":\"").append(outcome->id.text());
    body.append(ordered ? "\",\"state\":\"ordered\",\"order_id\":\"" : "\",\"state\":\"queued");
    if (ordered) body.append(outcome->order->text());
    body.append("\"}");
    exchange.response.status = ordered ? 201 : 202;
}

http::Pending Buying::show_ticket(http::Exchange& exchange) {
    const auto id = TicketId::parse(exchange.parameters[0]);
    const auto question = id ? worth_asking(exchange, id->sale) : std::nullopt;
    if (question) return look_up(exchange, *id, *question);
    exchange.refuse(Code::not_found);
    return std::nullopt;
}

/// What to ask the ledger, if the buyer may have a ticket. Nothing is certain, and costs no
/// look-up: made-up tickets, and those of somebody else, are many.
///
/// A remembered absence counts while nothing of the buyer's has changed. It was asked for in this
/// order: changes, open claims, journal. Whatever could be named later was claimed after the first,
/// or found by one of the other two, since a claim is settled after its commit.
std::optional<Absences::Question> Buying::worth_asking(const http::Exchange& exchange,
                                                       SaleId sale) const {
    if (!catalog_.sale(sale)) return std::nullopt;
    const auto glance = gate_.glance(sale, exchange.caller->id);
    if (glance.warm && !glance.history) return std::nullopt;
    const Absences::Question question{exchange.caller->id.value, exchange.parameters[0],
                                      glance.changes};
    if (absences_.contains(question, exchange.began)) return std::nullopt;
    return question;
}

Task<> Buying::look_up(http::Exchange& exchange, TicketId id, Absences::Question question) {
    const auto buyer = exchange.caller->id;
    const bool open = co_await gate_.is_open(id, buyer);
    const auto record = co_await ledger_.ticket(id, buyer);
    if (record)
        answer(exchange, 200, ticket_json(*record));
    else if (open)
        answer(exchange, 200, ticket_json(queued(id)));
    else
        refuse_absent(exchange, question);
}

http::Pending Buying::show_my_ticket(http::Exchange& exchange) {
    const auto sale = SaleId::parse(exchange.parameters[0]);
    const auto question = sale ? worth_asking(exchange, *sale) : std::nullopt;
    if (question) return look_up_latest(exchange, *sale, *question);
    exchange.refuse(Code::not_found);
    return std::nullopt;
}

Task<> Buying::look_up_latest(http::Exchange& exchange, SaleId sale, Absences::Question question) {
    const auto buyer = exchange.caller->id;
    const auto open = co_await gate_.latest_open(sale, buyer);
    std::optional<TicketRecord> latest;
    if (open)
        latest = co_await ledger_.ticket(*open, buyer);
    else
        latest = co_await ledger_.latest_ticket(sale, buyer);
    if (latest)
        answer(exchange, 200, ticket_json(*latest));
    else if (open)
        answer(exchange, 200, ticket_json(queued(*open)));
    else
        refuse_absent(exchange, question);
}

void Buying::refuse_absent(http::Exchange& exchange, const Absences::Question& question) {
    absences_.note(question, exchange.began);
    exchange.refuse(Code::not_found);
}

boost::json::object ticket_json(const TicketRecord& record) {
    boost::json::object json{{"ticket", record.id.text()}, {"sale_id", record.id.sale.text()}};
    switch (record.state) {
        case TicketState::prepared:
            json["state"] = "queued";
            break;
        case TicketState::committed:
            json["state"] = "ordered";
            json["order_id"] = record.order->text();
            break;
        case TicketState::rolled_back:
            json["state"] = "refused";
            json["reason"] = name_of(record.reason.value_or(Reason::sold_out));
            break;
    }
    return json;
}

}  // namespace sluice::api
