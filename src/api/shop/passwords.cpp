#include "api/shop/passwords.hpp"

#include "api/answers.hpp"
#include "api/json_reader.hpp"
#include "api/shop/party.hpp"
#include "base/outage.hpp"
#include "domain/password.hpp"

namespace sluice::api {
namespace {

constexpr std::string_view kPurposes = "registration, password";

void refuse_field(http::Exchange& exchange, const char* field, Complaint complaint) {
    answer(exchange, Refusal{Reason::invalid, Detail::none, {{field, std::move(complaint)}}, {}});
}

/// What is said of a phone that cannot be one; the name is none that could be wrong.
bool has_phone_flaw(JsonReader& in, const std::string& phone) {
    for (auto& error : check_profile(phone, "")) {
        in.complain(error.field, std::move(error.complaint));
        return true;
    }
    return false;
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
    auto canonical = parts_.book.form().canonical(phone);
    const auto headroom = parts_.code_limiter.count(canonical, exchange.client, exchange.began);
    if (headroom.count.wait.count() > 0) {
        gate::refuse(exchange, headroom, http::Code::rate_limited);
        return std::nullopt;
    }
    return issue(exchange, *purpose, std::move(canonical));
}

/// Nobody hears from the answer, or from the time it takes, whether the phone has an account: it is
/// looked up in any case, and the message goes out later. Whoever registers a phone that is taken
/// gets a code, and hears of it only when they show that.
Task<> Passwords::issue(http::Exchange& exchange, CodePurpose purpose, std::string phone) {
    const auto language = exchange.context.language;
    const bool known = co_await parts_.book.is_taken(phone);
    if (known || purpose == CodePurpose::registration) {
        const auto now = parts_.clock.now();
        constexpr auto minutes = static_cast<int>(PhoneCodes::kLife.count());
        auto code = parts_.codes.issue(purpose, phone);
        auto text = message_with_code(code, minutes, language);
        PhoneMessage message{.id = std::to_string(parts_.ids.next(now)),
                             .phone = std::move(phone),
                             .text = std::move(text),
                             .code = std::move(code),
                             .minutes = minutes,
                             .good_until = now + PhoneCodes::kLife};
        if (!parts_.outbox.put({.message = std::move(message), .not_before = now}))
            throw Overload("too many messages wait");
    }
    constexpr std::chrono::seconds life = PhoneCodes::kLife;
    answer(exchange, 202, {{"expires_in_seconds", life.count()}, {"resend_in_seconds", 60}});
}

http::Pending Passwords::reset(http::Exchange& exchange) {
    JsonReader in(exchange);
    ResetWish wish{.phone = in.required_text("phone"),
                   .password = in.required_text("password"),
                   .code = in.required_text("code")};
    if (!wish.phone.empty()) has_phone_flaw(in, wish.phone);
    if (!wish.password.empty())
        if (auto complaint = check_new_password(wish.password, wish.phone))
            in.complain("password", std::move(*complaint));
    if (!in.finish()) return std::nullopt;
    if (!sends_messages()) {
        answer(exchange, Refusal{Reason::conflict, Detail::no_messages, {}, {}});
        return std::nullopt;
    }
    return carry_out_reset(exchange, std::move(wish));
}

Task<> Passwords::carry_out_reset(http::Exchange& exchange, ResetWish wish) {
    const auto canonical = parts_.book.form().canonical(wish.phone);
    if (!parts_.codes.redeem(CodePurpose::password, canonical, wish.code))
        co_return refuse_field(exchange, "code", Rule::wrong_code);
    OwnPassword::Reset reset{.phone = std::move(wish.phone),
                             .wanted = std::move(wish.password),
                             .actor = {.id = {},
                                       .address = exchange.client.text(),
                                       .request_id = std::string(exchange.context.request_id)},
                             .party = party_of(exchange.client)};
    bool done = false;
    std::exception_ptr failure;
    try {
        const auto outcome = co_await parts_.passwords.reset(std::move(reset));
        done = outcome.has_value();
        if (!done) answer(exchange, outcome.error());
    } catch (...) {
        failure = std::current_exception();
    }
    if (!done) parts_.codes.give_back(CodePurpose::password, canonical, wish.code);
    if (failure) std::rethrow_exception(failure);
    if (!done) co_return;
    // While strangers guess at this account, its owner can thus log in from here.
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
    // Somebody else may sit before an open session: they guess no faster than at the log-in.
    auto whose = "user " + exchange.caller->id.text();
    const auto headroom =
        parts_.log_in_limiter.count({.phone = whose, .client = exchange.client}, exchange.began);
    if (headroom.count.wait.count() > 0) {
        gate::refuse(exchange, headroom, http::Code::rate_limited);
        return std::nullopt;
    }
    return carry_out_change(exchange, std::move(wish), std::move(whose));
}

Task<> Passwords::carry_out_change(http::Exchange& exchange, OwnPassword::Change wish,
                                   std::string whose) {
    auto actor = actor_of(exchange);
    const auto caller = *exchange.caller;
    const auto done = co_await parts_.passwords.change(caller, std::move(actor), std::move(wish));
    if (!done) {
        answer(exchange, done.error());
        co_return;
    }
    parts_.log_in_limiter.forgive({.phone = whose, .client = exchange.client});
    exchange.response.status = 204;
}

}  // namespace sluice::api
