#include "api/answers.hpp"

#include <charconv>

#include <boost/json/serialize.hpp>

#include "api/wordings.hpp"
#include "base/check.hpp"
#include "domain/ids.hpp"

namespace sluice::api {
namespace {

using http::Code;

/// To a JSON object that is not empty. Neither needs escaping.
void add_member(std::string& object, std::string_view name, std::string_view value) {
    object.pop_back();
    object.append(",\"").append(name).append("\":\"").append(value).append("\"}");
}

}  // namespace

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
        case Reason::unavailable:
            return Code::unavailable;
    }
    CHECK(false, "an enum has one of its values");
}

namespace {

/// Details that programs have to tell apart have codes of their own.
Code problem_code_of(const Refusal& refusal) {
    const auto detail = refusal.detail;
    if (detail == Detail::outcome_unknown) return Code::outcome_unknown;
    if (detail == Detail::second_factor_needed || detail == Detail::second_factor_wrong)
        return Code::second_factor;
    return code_of(refusal.reason);
}

}  // namespace

void answer(http::Exchange& exchange, const Refusal& refusal) {
    const auto code = problem_code_of(refusal);
    if (http::status_of(code) == 503) http::write_retry_after(exchange.response, 1);
    if (refusal.detail == Detail::none && refusal.errors.empty() && !refusal.ticket)
        return exchange.refuse(code);
    const auto detail = wording_of(refusal.detail, exchange.context.language);
    http::write_problem(exchange.response, code, exchange.context, detail, refusal.errors);
    if (refusal.ticket) add_member(exchange.response.body, "ticket", refusal.ticket->text());
    if (refusal.detail == Detail::pass_lapsed)
        add_member(exchange.response.body, "reason", "pass_lapsed");
    if (refusal.detail == Detail::place_missed)
        add_member(exchange.response.body, "reason", "place_missed");
    if (refusal.detail == Detail::left_unpaid)
        add_member(exchange.response.body, "reason", "left_unpaid");
    if (refusal.detail == Detail::network_full)
        add_member(exchange.response.body, "reason", "network_full");
}

void answer_not_listed(http::Exchange& exchange, const std::optional<Timestamp>& until) {
    if (!until) return exchange.refuse(Code::not_listed);
    exchange.refuse(Code::not_listed, wording_of(Detail::listed_first, exchange.context.language));
    add_member(exchange.response.body, "listed_until", to_rfc3339(*until));
}

void answer(http::Exchange& exchange, Code code, Remark remark) {
    exchange.refuse(code, wording_of(remark, exchange.context.language));
}

void answer(http::Exchange& exchange, int status, const boost::json::object& object) {
    exchange.response.status = status;
    exchange.response.body = boost::json::serialize(object);
}

boost::json::value time_or_null(const std::optional<Timestamp>& time) {
    if (!time) return nullptr;
    return boost::json::value(to_rfc3339(*time));
}

Actor actor_of(const http::Exchange& exchange) {
    return {.id = exchange.caller->id,
            .address = exchange.client.text(),
            .request_id = std::string(exchange.context.request_id)};
}

namespace {

void read_limit(const http::Exchange& exchange, std::size_t& value,
                std::vector<FieldError>& errors) {
    const auto limit = exchange.request.parameter("limit");
    if (limit.absent()) return;
    const auto* last = limit.text.data() + limit.text.size();
    const auto [end, error] = std::from_chars(limit.text.data(), last, value);
    if (error != std::errc{} || end != last || value < 1 || value > 100)
        errors.push_back({"limit", Complaint(Rule::whole_number_from_to, 1, 100)});
}

/// True when there are no errors; otherwise the response has them.
bool are_none(http::Exchange& exchange, const std::vector<FieldError>& errors) {
    if (errors.empty()) return true;
    http::write_problem(exchange.response, Code::invalid, exchange.context, {}, errors);
    return false;
}

}  // namespace

std::optional<Page> page_of(http::Exchange& exchange) {
    Page page;
    std::vector<FieldError> errors;
    read_limit(exchange, page.limit, errors);
    if (const auto cursor = exchange.request.parameter("cursor"); !cursor.absent()) {
        if (const auto id = Id<void>::parse(cursor.text))
            page.before = id->value;
        else
            errors.push_back({"cursor", Rule::not_cursor});
    }
    if (!are_none(exchange, errors)) return std::nullopt;
    return page;
}

std::optional<TicketPage> ticket_page_of(http::Exchange& exchange) {
    TicketPage page;
    std::vector<FieldError> errors;
    read_limit(exchange, page.limit, errors);
    if (const auto cursor = exchange.request.parameter("cursor"); !cursor.absent()) {
        page.after = TicketId::parse(cursor.text);
        if (!page.after) errors.push_back({"cursor", Rule::not_cursor});
    }
    if (!are_none(exchange, errors)) return std::nullopt;
    return page;
}

}  // namespace sluice::api
