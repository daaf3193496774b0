#include "api/shop/sessions.hpp"

#include "api/answers.hpp"
#include "api/json_reader.hpp"
#include "gate/credential.hpp"

namespace sluice::api {
namespace {

boost::json::object to_json(const Caller& caller, std::string_view name) {
    return {{"expires_at", to_rfc3339(caller.session_expires_at)},
            {"user", {{"id", caller.id.text()}, {"name", name}, {"role", to_string(caller.role)}}}};
}

}  // namespace

http::Pending Sessions::log_in(http::Exchange& exchange) {
    // Else another site's page could log its visitor in here, as somebody else.
    if (origins_.is_foreign(exchange.request)) {
        exchange.refuse(http::Code::csrf);
        return std::nullopt;
    }
    JsonReader in(exchange);
    auto phone = in.required_text("phone");
    auto password = in.required_text("password");
    // Longer ones belong to nobody, and need not be hashed to know it.
    if (phone.size() > 64) in.complain("phone", Rule::too_long);
    if (password.size() > 1024) in.complain("password", Rule::too_long);
    if (!in.finish()) return std::nullopt;
    const auto headroom = limiter_.count(phone, exchange.client, exchange.began);
    if (headroom.count.wait.count() > 0) {
        gate::refuse(exchange, headroom, http::Code::rate_limited);
        return std::nullopt;
    }
    return open(exchange, std::move(phone), std::move(password));
}

Task<> Sessions::open(http::Exchange& exchange, std::string phone, std::string password) {
    const auto earlier = tokens_.recognise(gate::credential_of(exchange.request, config_).token);
    const auto session = co_await login_.log_in(phone, std::move(password), earlier);
    if (!session) {
        answer(exchange, session.error());
        co_return;
    }
    limiter_.forgive(phone, exchange.client);
    auto json = to_json(session->caller, session->user_name);
    json["token"] = session->token;
    set_cookie(exchange, session->token);
    answer(exchange, 201, json);
}

http::Pending Sessions::show(http::Exchange& exchange) {
    return describe(exchange, *exchange.caller);
}

Task<> Sessions::describe(http::Exchange& exchange, Caller caller) {
    const auto name = co_await store_.user_name(caller.session, clock_.now());
    answer(exchange, 200, to_json(caller, name));
}

http::Pending Sessions::log_out(http::Exchange& exchange) {
    return close(exchange, exchange.caller->session);
}

Task<> Sessions::close(http::Exchange& exchange, SessionKey key) {
    co_await store_.close(key);
    set_cookie(exchange, "");
    exchange.response.status = 204;
}

http::Pending Sessions::log_out_everywhere(http::Exchange& exchange) {
    return close_all(exchange, exchange.caller->id);
}

Task<> Sessions::close_all(http::Exchange& exchange, UserId user) {
    co_await store_.close_all(user);
    set_cookie(exchange, "");
    exchange.response.status = 204;
}

/// For browsers. It has no end of its own: the session's counts, and that one slides.
void Sessions::set_cookie(http::Exchange& exchange, std::string_view token) const {
    const bool https = gate::came_by_https(exchange.request, config_);
    std::string cookie(gate::cookie_name(https));
    cookie.append("=").append(token).append("; Path=/; HttpOnly; SameSite=Lax");
    if (https) cookie += "; Secure";
    if (token.empty()) cookie += "; Max-Age=0";
    exchange.response.add_header("Set-Cookie", cookie);
}

}  // namespace sluice::api
