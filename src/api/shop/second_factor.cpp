#include "api/shop/second_factor.hpp"

#include <boost/json/array.hpp>

#include "api/answers.hpp"
#include "api/json_reader.hpp"
#include "api/shop/party.hpp"

namespace sluice::api {
namespace {

constexpr std::string_view kIssuer = "Sluice";

gate::LogInLimiter::Try as_try(const http::Exchange& exchange, std::string_view whose,
                               gate::LogInLimiter::Secret secret) {
    return {.whose = whose, .client = exchange.client, .secret = secret};
}

}  // namespace

http::Pending SecondFactorDesk::show(http::Exchange& exchange) {
    return describe(exchange, exchange.caller->id);
}

Task<> SecondFactorDesk::describe(http::Exchange& exchange, UserId user) {
    const auto state = co_await factors_.look(user);
    answer(exchange, 200,
           {{"on", state.on},
            {"recovery_codes_left", state.recovery_codes},
            {"required", factors_.is_required_of(exchange.caller->role)}});
}

http::Pending SecondFactorDesk::begin(http::Exchange& exchange) {
    JsonReader in(exchange);
    auto password = in.required_text("password");
    if (password.size() > 1024) in.complain("password", Rule::too_long);
    if (!in.finish()) return std::nullopt;
    if (is_buyer(exchange) || guesses_too_fast(exchange)) return std::nullopt;
    return carry_out_begin(exchange, std::move(password));
}

Task<> SecondFactorDesk::carry_out_begin(http::Exchange& exchange, std::string password) {
    const bool is_refused = co_await guesses_too_fast_elsewhere(exchange);
    if (is_refused) co_return;
    const auto begun = co_await factors_.begin(exchange.caller->id, std::move(password),
                                               party_of(exchange.client));
    if (!begun) {
        answer(exchange, begun.error());
        // The password was right, and the password is what was counted.
        if (begun.error().reason == Reason::conflict) co_await forgive(exchange);
        co_return;
    }
    co_await forgive(exchange);
    const Totp totp(begun->secret);
    answer(exchange, 201,
           {{"secret", totp.secret_text()}, {"uri", totp.uri(kIssuer, begun->phone)}});
}

http::Pending SecondFactorDesk::confirm(http::Exchange& exchange) {
    JsonReader in(exchange);
    auto code = in.required_text("code");
    if (code.size() > 64) in.complain("code", Rule::too_long);
    if (!in.finish()) return std::nullopt;
    if (is_buyer(exchange) || guesses_too_fast(exchange)) return std::nullopt;
    return carry_out_confirm(exchange, std::move(code));
}

Task<> SecondFactorDesk::carry_out_confirm(http::Exchange& exchange, std::string code) {
    const bool is_refused = co_await guesses_too_fast_elsewhere(exchange);
    if (is_refused) co_return;
    auto actor = actor_of(exchange);
    const auto caller = *exchange.caller;
    const auto codes = co_await factors_.confirm(caller, std::move(actor), std::move(code));
    if (!codes) {
        answer(exchange, codes.error());
        co_return;
    }
    co_await forgive(exchange);
    boost::json::array list;
    for (const auto& each : *codes) list.emplace_back(each);
    answer(exchange, 200, {{"recovery_codes", std::move(list)}});
}

http::Pending SecondFactorDesk::remove(http::Exchange& exchange) {
    JsonReader in(exchange);
    auto code = in.required_text("code");
    if (code.size() > 64) in.complain("code", Rule::too_long);
    if (!in.finish()) return std::nullopt;
    if (const auto refusal = factors_.why_not_removable(exchange.caller->role)) {
        answer(exchange, *refusal);
        return std::nullopt;
    }
    if (guesses_too_fast(exchange, Secret::factor_removal)) return std::nullopt;
    return carry_out_remove(exchange, std::move(code));
}

Task<> SecondFactorDesk::carry_out_remove(http::Exchange& exchange, std::string code) {
    const bool is_refused = co_await guesses_too_fast_elsewhere(exchange, Secret::factor_removal);
    if (is_refused) co_return;
    auto actor = actor_of(exchange);
    const auto caller = *exchange.caller;
    const auto done = co_await factors_.remove(caller, std::move(actor), std::move(code));
    if (!done) {
        answer(exchange, done.error());
        co_return;
    }
    co_await forgive(exchange, Secret::factor_removal);
    exchange.response.status = 204;
}

bool SecondFactorDesk::is_buyer(http::Exchange& exchange) const {
    if (is_staff(exchange.caller->role)) return false;
    exchange.refuse(http::Code::forbidden);
    return true;
}

gate::LogInLimiter& SecondFactorDesk::limiter_of(Secret secret) {
    return secret == Secret::factor_removal ? factor_limiter_ : limiter_;
}

bool SecondFactorDesk::guesses_too_fast(http::Exchange& exchange, Secret secret) {
    const auto whose = exchange.caller->id.text();
    const auto headroom = limiter_of(secret).count(as_try(exchange, whose, secret), exchange.began);
    if (!headroom.waits()) return false;
    gate::refuse(exchange, headroom, http::Code::rate_limited);
    return true;
}

Task<bool> SecondFactorDesk::guesses_too_fast_elsewhere(http::Exchange& exchange, Secret secret) {
    const auto whose = exchange.caller->id.text();
    const auto headroom = co_await limiter_of(secret).confirm(as_try(exchange, whose, secret));
    if (!headroom.waits()) co_return false;
    gate::refuse(exchange, headroom, http::Code::rate_limited);
    co_return true;
}

Task<Done> SecondFactorDesk::forgive(const http::Exchange& exchange, Secret secret) {
    const auto whose = exchange.caller->id.text();
    return limiter_of(secret).forgive(as_try(exchange, whose, secret));
}

}  // namespace sluice::api
