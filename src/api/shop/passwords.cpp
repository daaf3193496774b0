#include "api/shop/passwords.hpp"

#include "api/answers.hpp"
#include "api/json_reader.hpp"
#include "api/shop/party.hpp"
#include "domain/password.hpp"

namespace sluice::api {
namespace {

constexpr std::string_view kPurposes = "registration, password";

/// Checks a phone; the name is a valid one, so only the phone can be wrong.
bool has_phone_flaw(JsonReader& in, const std::string& phone) {
    for (auto& error : check_profile(phone, "")) {
        in.complain(error.field, std::move(error.complaint));
        return true;
    }
    return false;
}

gate::LogInLimiter::Try own_password_try(const http::Exchange& exchange, std::string_view whose) {
    return {.whose = whose,
            .client = exchange.client,
            .secret = gate::LogInLimiter::Secret::own_password};
}

}  // namespace

http::Pending Passwords::show_rules(http::Exchange& exchange) {
    boost::json::object json{
        {"phone_code_needed", config_.accounts.verify_phone},
        {"password_reset", sends_messages()},
        {"country", nullptr},
        {"messages_shown", config_.sms.provider == MessageSenderName::sandbox}};
    if (!config_.accounts.country.empty()) json["country"] = config_.accounts.country;
    answer(exchange, 200, json);
    return std::nullopt;
}

http::Pending Passwords::send_code(http::Exchange& exchange) {
    JsonReader in(exchange);
    const auto phone = in.required_text("phone");
    const auto purpose = in.word("purpose", parse_code_purpose, kPurposes);
    if (!purpose) in.complain("purpose", Rule::missing);
    if (!phone.empty()) has_phone_flaw(in, phone);
    if (!in.finish()) return std::nullopt;
    if (!sends_messages()) {
        answer(exchange, Refusal{Reason::conflict, Detail::no_messages, {}, {}});
        return std::nullopt;
    }
    SendPhoneCode::Wish wish{.purpose = *purpose, .phone = parts_.form.canonical(phone)};
    // By the number alone, and before anything is counted: it tells nothing of who is known.
    if (!parts_.countries.allow(wish.phone)) in.complain("phone", Rule::no_codes_to_country);
    if (!in.finish()) return std::nullopt;
    wish.bearer = parts_.devices.bearer(exchange, wish.phone);
    const auto verdict = parts_.code_limiter.count({.phone = wish.phone,
                                                    .purpose = wish.purpose,
                                                    .client = exchange.client,
                                                    .bearer = wish.bearer},
                                                   exchange.began);
    if (verdict.headroom.waits()) {
        gate::refuse(exchange, verdict.headroom, http::Code::rate_limited);
        return std::nullopt;
    }
    wish.repeats = verdict.repeats;
    return issue(exchange, std::move(wish));
}

Task<> Passwords::issue(http::Exchange& exchange, SendPhoneCode::Wish wish) {
    SendPhoneCode::Word word = [language = exchange.context.language](auto code, int minutes) {
        return message_with_code(code, minutes, language);
    };
    const bool sent = co_await parts_.send_code.send(std::move(wish), std::move(word));
    if (sent) parts_.code_limiter.note_sent(exchange.began);
    constexpr std::chrono::seconds life = PhoneCodes::kLife;
    answer(exchange, 202, {{"expires_in_seconds", life.count()}, {"resend_in_seconds", 60}});
}

http::Pending Passwords::reset(http::Exchange& exchange) {
    JsonReader in(exchange);
    OwnPassword::Reset wish{.phone = in.required_text("phone"),
                            .wanted = in.required_text("password"),
                            .code = in.required_text("code"),
                            .bearer = {},
                            .actor = {.id = {},
                                      .address = exchange.client.text(),
                                      .request_id = std::string(exchange.context.request_id)},
                            .party = party_of(exchange.client)};
    if (!wish.phone.empty()) has_phone_flaw(in, wish.phone);
    if (!wish.wanted.empty())
        if (auto complaint = check_new_password(wish.wanted, {wish.phone}))
            in.complain("password", std::move(*complaint));
    if (!in.finish()) return std::nullopt;
    if (!sends_messages()) {
        answer(exchange, Refusal{Reason::conflict, Detail::no_messages, {}, {}});
        return std::nullopt;
    }
    return carry_out_reset(exchange, std::move(wish));
}

Task<> Passwords::carry_out_reset(http::Exchange& exchange, OwnPassword::Reset wish) {
    const auto canonical = parts_.form.canonical(wish.phone);
    wish.bearer = parts_.devices.bearer(exchange, canonical);
    const auto done = co_await parts_.passwords.reset(std::move(wish));
    if (!done) {
        answer(exchange, done.error());
        co_return;
    }
    // So the owner can log in from here even while strangers guess at this account.
    parts_.devices.set(exchange, canonical, parts_.devices.recognise(exchange, canonical));
    exchange.response.status = 204;
}

http::Pending Passwords::change(http::Exchange& exchange) {
    JsonReader in(exchange);
    OwnPassword::Change wish{.present = in.required_text("current_password"),
                             .wanted = in.required_text("new_password"),
                             .party = party_of(exchange.client)};
    if (wish.present.size() > 1024) in.complain("current_password", Rule::too_long);
    if (!in.finish()) return std::nullopt;
    // Somebody else may sit before an open session: they can guess no faster than at the log-in.
    const auto whose = exchange.caller->id.text();
    const auto headroom =
        parts_.log_in_limiter.count(own_password_try(exchange, whose), exchange.began);
    if (headroom.waits()) {
        gate::refuse(exchange, headroom, http::Code::rate_limited);
        return std::nullopt;
    }
    return carry_out_change(exchange, std::move(wish));
}

Task<> Passwords::carry_out_change(http::Exchange& exchange, OwnPassword::Change wish) {
    auto actor = actor_of(exchange);
    const auto caller = *exchange.caller;
    const auto whose = caller.id.text();
    const auto headroom = co_await parts_.log_in_limiter.confirm(own_password_try(exchange, whose));
    if (headroom.waits()) {
        gate::refuse(exchange, headroom, http::Code::rate_limited);
        co_return;
    }
    const auto done = co_await parts_.passwords.change(caller, std::move(actor), std::move(wish));
    if (!done) {
        answer(exchange, done.error());
        co_return;
    }
    co_await parts_.log_in_limiter.forgive(own_password_try(exchange, whose));
    exchange.response.status = 204;
}

}  // namespace sluice::api
