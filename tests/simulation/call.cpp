#include "simulation/call.hpp"

#include <charconv>

#include <boost/json/parse.hpp>

#include "simulation/door.hpp"

namespace sluice::simulation {
namespace {

std::optional<int> retry_after_of(std::string_view headers) {
    constexpr std::string_view name = "Retry-After: ";
    const auto at = headers.find(name);
    if (at == headers.npos) return std::nullopt;
    int seconds = 0;
    std::from_chars(headers.data() + at + name.size(), headers.data() + headers.size(), seconds);
    return seconds;
}

}  // namespace

Call::Call(Request request)
    : request_(std::move(request)), authorization_("Bearer " + token_of(request_.caller)) {
    exchange.request.method = request_.method;
    exchange.request.path = request_.path;
    exchange.request.body = request_.body;
    exchange.request.fields = {{"Authorization", authorization_}};
    if (!request_.body.empty())
        exchange.request.fields.push_back({"Content-Type", "application/json"});
    if (!request_.key.empty()) exchange.request.fields.push_back({"Idempotency-Key", request_.key});
    exchange.context.request_id = request_.id;
}

Answer Call::answer() const {
    const auto& response = exchange.response;
    return {.status = response.status,
            .problem = response.problem,
            .retry_after = retry_after_of(response.extra_headers()),
            .body = std::string(response.content())};
}

std::string Answer::text(std::string_view field) const {
    const auto json = boost::json::parse(body).as_object();
    const auto* value = json.if_contains(field);
    return value && value->is_string() ? std::string(value->as_string()) : "";
}

std::optional<TicketId> Answer::ticket() const {
    return TicketId::parse(text("ticket"));
}

std::optional<OrderId> Answer::order() const {
    return OrderId::parse(text("order_id"));
}

std::string Answer::summary() const {
    auto summary = std::to_string(status);
    if (problem) summary += " " + std::string(http::name_of(*problem));
    if (retry_after) summary += ", come again in " + std::to_string(*retry_after) + " s";
    return summary;
}

}  // namespace sluice::simulation
