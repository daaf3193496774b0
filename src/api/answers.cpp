#include "api/answers.hpp"

#include <charconv>

#include <boost/json/serialize.hpp>

#include "domain/ids.hpp"

namespace sluice::api {
namespace {

using http::Code;

Code code_of(Reason reason) {
    switch (reason) {
        case Reason::not_found:
            return Code::not_found;
        case Reason::unauthenticated:
            return Code::unauthenticated;
        case Reason::forbidden:
            return Code::forbidden;
        case Reason::invalid:
            return Code::invalid;
        case Reason::conflict:
            return Code::conflict;
        case Reason::ended:
            return Code::ended;
        case Reason::not_started:
            return Code::not_started;
        case Reason::sold_out:
            return Code::sold_out;
        case Reason::limit_reached:
            return Code::limit_reached;
        case Reason::pass_invalid:
            return Code::pass_invalid;
        case Reason::gate_closed:
            return Code::gate_closed;
        case Reason::paused:
            return Code::paused;
        case Reason::idempotency_mismatch:
            return Code::idempotency_mismatch;
        case Reason::busy:
            return Code::busy;
    }
    return Code::internal;
}

}  // namespace

void answer(http::Exchange& exchange, const Refusal& refusal) {
    const auto code = code_of(refusal.reason);
    if (code == Code::busy) http::write_retry_after(exchange.response, 1);
    http::write_problem(exchange.response, code, exchange.manner, refusal.detail, refusal.errors);
}

void answer(http::Exchange& exchange, int status, const boost::json::object& object) {
    exchange.response.status = status;
    exchange.response.body = boost::json::serialize(object);
}

Actor actor_of(const http::Exchange& exchange) {
    return {.id = exchange.caller->id,
            .address = exchange.client.text(),
            .request_id = std::string(exchange.manner.request_id)};
}

std::optional<Page> page_of(http::Exchange& exchange) {
    Page page;
    std::vector<FieldError> errors;
    if (const auto limit = exchange.request.parameter("limit"); !limit.absent()) {
        const auto* last = limit.text.data() + limit.text.size();
        const auto [end, error] = std::from_chars(limit.text.data(), last, page.limit);
        if (error != std::errc{} || end != last || page.limit < 1 || page.limit > 100)
            errors.push_back({"limit", "must be a whole number from 1 to 100"});
    }
    if (const auto cursor = exchange.request.parameter("cursor"); !cursor.blank()) {
        if (const auto id = Id<void>::parse(cursor.text))
            page.before = id->value;
        else
            errors.push_back({"cursor", "must be the next_cursor of an earlier page"});
    }
    if (errors.empty()) return page;
    http::write_problem(exchange.response, Code::invalid, exchange.manner, {}, errors);
    return std::nullopt;
}

}  // namespace sluice::api
