#include "api/sessions.hpp"

#include "api/answers.hpp"
#include "api/json_reader.hpp"

namespace sluice::api {
namespace {

boost::json::object to_json(const Caller& caller) {
    return {{"expires_at", to_rfc3339(caller.session_expires_at)},
            {"user",
             {{"id", caller.id.text()}, {"name", caller.name}, {"role", to_string(caller.role)}}}};
}

}  // namespace

http::Pending Sessions::log_in(http::Exchange& exchange) {
    JsonReader in(exchange);
    auto phone = in.required_text("phone");
    auto password = in.required_text("password");
    // Longer ones belong to nobody, and need not be hashed to know it.
    if (phone.size() > 64) in.complain("phone", "is too long");
    if (password.size() > 1024) in.complain("password", "is too long");
    if (!in.finish()) return std::nullopt;
    return open(exchange, std::move(phone), std::move(password));
}

Task<> Sessions::open(http::Exchange& exchange, std::string phone, std::string password) {
    const auto session = co_await login_.log_in(std::move(phone), std::move(password));
    if (!session) {
        answer(exchange, session.error());
        co_return;
    }
    auto json = to_json(session->caller);
    json["token"] = session->token;
    set_cookie(exchange.response, session->token);
    answer(exchange, 201, json);
}

http::Pending Sessions::show(http::Exchange& exchange) {
    answer(exchange, 200, to_json(*exchange.caller));
    return std::nullopt;
}

http::Pending Sessions::log_out(http::Exchange& exchange) {
    return close(exchange, exchange.caller->session);
}

Task<> Sessions::close(http::Exchange& exchange, SessionKey key) {
    co_await store_.close(key);
    set_cookie(exchange.response, "");
    exchange.response.status = 204;
}

/// For browsers. It has no end of its own: the session's counts, and that one slides.
void Sessions::set_cookie(http::Response& response, std::string_view token) const {
    std::string cookie =
        "sluice_session=" + std::string(token) + "; Path=/; HttpOnly; SameSite=Lax";
    if (secure_cookies_) cookie += "; Secure";
    if (token.empty()) cookie += "; Max-Age=0";
    response.add_header("Set-Cookie", cookie);
}

}  // namespace sluice::api
