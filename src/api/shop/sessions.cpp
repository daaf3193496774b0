#include "api/shop/sessions.hpp"

#include "api/answers.hpp"
#include "api/json_reader.hpp"
#include "api/shop/party.hpp"
#include "gate/credential.hpp"

namespace sluice::api {
namespace {

boost::json::object to_json(const Caller& caller, std::string_view name) {
    boost::json::object json{
        {"expires_at", to_rfc3339(caller.session_expires_at)},
        {"user", {{"id", caller.id.text()}, {"name", name}, {"role", to_string(caller.role)}}}};
    if (caller.lacks_second_factor) json["second_factor_missing"] = true;
    return json;
}

}  // namespace

http::Pending Sessions::log_in(http::Exchange& exchange) {
    // Otherwise another site's page could log its visitor in here, under another name.
    if (origins_.is_foreign(exchange.request)) {
        exchange.refuse(http::Code::csrf);
        return std::nullopt;
    }
    JsonReader in(exchange);
    Asked asked;
    asked.attempt.phone = in.required_text("phone");
    asked.attempt.password = in.required_text("password");
    asked.opening.second_factor = in.text("second_factor");
    // Longer ones belong to nobody, and need not be hashed to know it.
    if (asked.attempt.phone.size() > 64) in.complain("phone", Rule::too_long);
    if (asked.attempt.password.size() > 1024) in.complain("password", Rule::too_long);
    if (asked.opening.second_factor.value_or("").size() > 64)
        in.complain("second_factor", Rule::too_long);
    if (!in.finish()) return std::nullopt;

    asked.phone = parts_.form.canonical(asked.attempt.phone);
    asked.device = parts_.devices.recognise(exchange, asked.phone);
    asked.attempt.from_known_device = asked.device.has_value();
    asked.attempt.party = asked.device ? party_of_owner(asked.phone) : party_of(exchange.client);
    asked.opening.network = household_of(exchange.client);
    asked.opening.address = exchange.client.text();
    asked.opening.request_id = exchange.context.request_id;
    asked.opening.earlier =
        parts_.tokens.recognise(gate::credential_of(exchange.request, config_).token);
    const auto headroom = parts_.limiter.count(asked.as_try(exchange), exchange.began);
    if (headroom.waits()) {
        gate::refuse(exchange, headroom, http::Code::rate_limited);
        return std::nullopt;
    }
    return open(exchange, std::move(asked));
}

Task<> Sessions::open(http::Exchange& exchange, Asked asked) {
    const auto headroom = co_await parts_.limiter.confirm(asked.as_try(exchange));
    if (headroom.waits()) {
        gate::refuse(exchange, headroom, http::Code::rate_limited);
        co_return;
    }
    auto proven = co_await parts_.login.prove(std::move(asked.attempt));
    if (!proven) {
        answer(exchange, proven.error());
        co_return;
    }
    const auto whose = proven->user.id.text();
    const gate::LogInLimiter::Try factor_try{.whose = whose,
                                             .client = exchange.client,
                                             .secret = gate::LogInLimiter::Secret::log_in_factor,
                                             .device = asked.device};
    const bool shows_factor = asked.opening.second_factor.has_value();
    if (shows_factor) {
        const bool is_refused = co_await guesses_too_fast(exchange, factor_try);
        if (is_refused) co_return;
    }
    const auto session = co_await parts_.login.open(std::move(*proven), std::move(asked.opening));
    if (!session) {
        answer(exchange, session.error());
        co_return;
    }
    co_await parts_.limiter.forgive(asked.as_try(exchange));
    if (shows_factor) co_await parts_.factor_limiter.forgive(factor_try);
    auto json = to_json(session->caller, session->user_name);
    json["token"] = session->token;
    set_cookie(exchange, session->token);
    parts_.devices.set(exchange, asked.phone, asked.device);
    answer(exchange, 201, json);
}

Task<bool> Sessions::guesses_too_fast(http::Exchange& exchange, gate::LogInLimiter::Try attempt) {
    auto headroom = parts_.factor_limiter.count(attempt, exchange.began);
    if (!headroom.waits()) headroom = co_await parts_.factor_limiter.confirm(attempt);
    if (!headroom.waits()) co_return false;
    gate::refuse(exchange, headroom, http::Code::rate_limited);
    co_return true;
}

http::Pending Sessions::show(http::Exchange& exchange) {
    return describe(exchange, *exchange.caller);
}

Task<> Sessions::describe(http::Exchange& exchange, Caller caller) {
    const auto name = co_await parts_.store.user_name(caller.session, parts_.clock.now());
    answer(exchange, 200, to_json(caller, name));
}

http::Pending Sessions::log_out(http::Exchange& exchange) {
    return close(exchange, exchange.caller->session);
}

Task<> Sessions::close(http::Exchange& exchange, SessionKey key) {
    co_await parts_.store.close(key);
    set_cookie(exchange, "");
    exchange.response.status = 204;
}

http::Pending Sessions::log_out_everywhere(http::Exchange& exchange) {
    return close_all(exchange, exchange.caller->id);
}

Task<> Sessions::close_all(http::Exchange& exchange, UserId user) {
    co_await parts_.store.close_all(user);
    set_cookie(exchange, "");
    exchange.response.status = 204;
}

/// For browsers. The cookie does not expire by itself: the session does, and its end moves.
void Sessions::set_cookie(http::Exchange& exchange, std::string_view token) const {
    const bool https = gate::came_by_https(exchange.request, config_);
    std::string cookie(gate::cookie_name(https));
    cookie.append("=").append(token).append("; Path=/; HttpOnly; SameSite=Lax");
    if (https) cookie += "; Secure";
    if (token.empty()) cookie += "; Max-Age=0";
    exchange.response.add_header("Set-Cookie", cookie);
}

}  // namespace sluice::api
