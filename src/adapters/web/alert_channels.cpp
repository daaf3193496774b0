#include "adapters/web/alert_channels.hpp"

#include <array>
#include <optional>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <sodium.h>

#include "base/encoding.hpp"
#include "domain/event_signature.hpp"

namespace sluice::web {
namespace {

using Told = AlertChannel::Told;

// The length of a robot's explanation that is kept.

AlertChannel::Answer judge_status(const Poster::Answer& answer) {
    if (is_success(answer)) return {};
    if (answer.status == 0) return {Told::try_again, answer.failure};
    return {may_pass(answer) ? Told::try_again : Told::refused,
            "the receiver answered " + std::to_string(answer.status)};
}

/// The errcode of the answer; nullopt if it has none.
std::optional<std::int64_t> errcode_in(const boost::json::value& json) {
    const auto* const object = json.if_object();
    const auto* const code = object ? object->if_contains("errcode") : nullptr;
    if (!code || !code->is_int64()) return std::nullopt;
    return code->get_int64();
}

/// Of a robot that answers {"errcode": 0, "errmsg": "ok"}. Busy is 45009 at WeCom, and 130101 and
/// 410100 at DingTalk: too many messages in a minute.
AlertChannel::Answer judge_errcode(const Poster::Answer& answer) {
    if (!is_success(answer)) return judge_status(answer);
    boost::system::error_code error;
    const auto json = boost::json::parse(answer.body, error);
    const auto code = error ? std::nullopt : errcode_in(json);
    if (!code) return {Told::refused, "the receiver's answer is not that of a robot"};
    if (*code == 0) return {};
    // The explanation may contain our request's address, and with it the key.
    std::string reason = "the robot answered errcode " + std::to_string(*code);
    const bool is_busy = *code == -1 || *code == 45009 || *code == 130101 || *code == 410100;
    return {is_busy ? Told::try_again : Told::refused, std::move(reason)};
}

std::string robot_text(const AlertMessage& message) {
    return boost::json::serialize(boost::json::object{
        {"msgtype", "text"}, {"text", {{"content", "[Sluice] " + message.text()}}}});
}

/// Slack gives <, > and & a meaning of their own.
std::string escaped_for_slack(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '&')
            escaped += "&amp;";
        else if (c == '<')
            escaped += "&lt;";
        else if (c == '>')
            escaped += "&gt;";
        else
            escaped += c;
    }
    return escaped;
}

std::string webhook_alert_body(const AlertMessage& message) {
    const auto& alert = message.alert;
    return boost::json::serialize(boost::json::object{{"id", message.id},
                                                      {"type", "alert"},
                                                      {"created_at", to_rfc3339(alert.at)},
                                                      {"data",
                                                       {{"kind", to_string(alert.kind)},
                                                        {"phase", to_string(alert.phase)},
                                                        {"subject", alert.subject},
                                                        {"headline", message.headline},
                                                        {"detail", alert.detail},
                                                        {"from", message.from}}}});
}

Poster::Letter letter_to(std::string url, std::string body) {
    Poster::Letter letter;
    letter.url = std::move(url);
    letter.body = std::move(body);
    return letter;
}

}  // namespace

Task<AlertChannel::Answer> WebhookAlerts::tell(AlertMessage message) {
    auto letter = letter_to(url_, webhook_alert_body(message));
    letter.headers = {
        {std::string(kSignatureHeader), sign_event(secret_, letter.body, clock_.now())},
        {"Sluice-Event", "alert"},
        {"Sluice-Event-Id", message.id}};
    const auto answer = co_await poster_.post(std::move(letter));
    co_return judge_status(answer);
}

Task<AlertChannel::Answer> WecomAlerts::tell(AlertMessage message) {
    auto letter = letter_to(url_, robot_text(message));
    const auto answer = co_await poster_.post(std::move(letter));
    co_return judge_errcode(answer);
}

Task<AlertChannel::Answer> DingtalkAlerts::tell(AlertMessage message) {
    auto url = url_;
    if (!secret_.empty()) {
        const auto millis = std::to_string(to_millis(clock_.now()));
        url += url.find('?') == url.npos ? '?' : '&';
        url += "timestamp=" + millis + "&sign=" + dingtalk_signature(secret_, millis);
    }
    auto letter = letter_to(std::move(url), robot_text(message));
    const auto answer = co_await poster_.post(std::move(letter));
    co_return judge_errcode(answer);
}

Task<AlertChannel::Answer> SlackAlerts::tell(AlertMessage message) {
    auto body = boost::json::serialize(
        boost::json::object{{"text", escaped_for_slack("[Sluice] " + message.text())}});
    auto letter = letter_to(url_, std::move(body));
    const auto answer = co_await poster_.post(std::move(letter));
    co_return judge_status(answer);
}

std::string dingtalk_signature(std::string_view secret, std::string_view millis) {
    const auto text = std::string(millis) + '\n' + std::string(secret);
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, bytes_of(secret).data(), secret.size());
    crypto_auth_hmacsha256_update(&state, bytes_of(text).data(), text.size());
    std::array<unsigned char, crypto_auth_hmacsha256_BYTES> digest;
    crypto_auth_hmacsha256_final(&state, digest.data());
    std::string encoded;
    for (const char c : to_base64(digest)) {
        if (c == '+')
            encoded += "%2B";
        else if (c == '/')
            encoded += "%2F";
        else if (c == '=')
            encoded += "%3D";
        else
            encoded += c;
    }
    return encoded;
}

}  // namespace sluice::web
