#include "http/problem.hpp"

#include <array>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace sluice::http {
namespace {

struct Wording {
    std::string_view title;
    std::string_view detail;
};

struct Entry {
    Code code;
    std::string_view name;
    int status;
    Wording en;
    Wording zh;
};

constexpr std::array<Entry, kCodes> kEntries{{
    {Code::malformed,
     "malformed",
     400,
     {"Malformed request",
      "The request is not one this server accepts: check the HTTP syntax and the JSON body."},
     {"请求格式错误", "服务器无法接受此请求：请检查 HTTP 语法和 JSON 内容。"}},
    {Code::unauthenticated,
     "unauthenticated",
     401,
     {"Log in first", "This needs a valid session: log in and send the token."},
     {"请先登录", "此操作需要有效的会话：请登录后带上令牌重试。"}},
    {Code::second_factor,
     "second_factor",
     401,
     {"Second factor needed",
      "Log in again with the password and a code of your authenticator, or a recovery code, in "
      "second_factor."},
     {"需要两步验证", "请连同密码在 second_factor 中提供身份验证器的验证码或恢复码后重新登录。"}},
    {Code::forbidden,
     "forbidden",
     403,
     {"Not allowed", "Your role does not allow this."},
     {"没有权限", "您的角色不允许此操作。"}},
    {Code::second_factor_missing,
     "forbidden",
     403,
     {"Set up your second factor",
      "This server asks a second factor of its staff: set one up on your account page, or log in "
      "with it."},
     {"请先启用两步验证", "本服务器要求工作人员启用两步验证：请在账户页面设置，或使用它登录。"}},
    {Code::buyer_blocked,
     "forbidden",
     403,
     {"Blocked",
      "You have been blocked: you cannot buy anything. What you have ordered before is still "
      "there."},
     {"已被封禁", "您已被封禁，暂时无法购买。此前的订单不受影响。"}},
    {Code::address_blocked,
     "forbidden",
     403,
     {"Blocked", "The address you come from has been blocked."},
     {"已被封禁", "您所在的网络地址已被封禁。"}},
    {Code::csrf,
     "csrf",
     403,
     {"Request from another site",
      "A change made with the session cookie must come from our own pages: send the Origin header "
      "of this site, or use the Authorization header."},
     {"跨站请求被拒绝",
      "使用会话 Cookie 的修改操作必须来自本站页面：请发送本站的 Origin 头，或改用 Authorization "
      "头。"}},
    {Code::pass_invalid,
     "pass_invalid",
     403,
     {"Pass not valid",
      "The pass has expired, or was made for another buyer, sale or session: ask for a new one."},
     {"通行证无效", "通行证已过期，或属于其他买家、活动或会话：请重新获取。"}},
    {Code::challenge_failed,
     "challenge_failed",
     403,
     {"Challenge failed",
      "The answer is wrong, too late, or was used before: ask for a new challenge."},
     {"验证未通过", "答案错误、已超时或已使用过：请重新获取验证。"}},
    {Code::not_listed,
     "not_listed",
     403,
     {"Not on the list", "This sale is for the buyers on its list, and you are not on it."},
     {"不在名单内", "本场活动仅限名单内用户购买，您不在名单内。"}},
    {Code::not_found,
     "not_found",
     404,
     {"Not found", "There is nothing here, or it is not yours."},
     {"未找到", "此处没有内容，或者不属于您。"}},
    {Code::method_not_allowed,
     "method_not_allowed",
     405,
     {"Method not allowed",
      "This address does not take that method: the Allow header lists those it takes."},
     {"方法不被允许", "该地址不支持此方法：Allow 头列出了支持的方法。"}},
    {Code::conflict,
     "conflict",
     409,
     {"Conflict", "The present state does not allow this."},
     {"冲突", "当前状态不允许此操作。"}},
    {Code::ended,
     "ended",
     409,
     {"The sale has ended", "This sale is over."},
     {"活动已结束", "本场活动已经结束。"}},
    {Code::not_started,
     "not_started",
     409,
     {"Not started yet", "The sale has not begun: wait for starts_at."},
     {"尚未开始", "活动尚未开始：请等待 starts_at。"}},
    {Code::sold_out,
     "sold_out",
     409,
     {"Sold out", "No unit is left. Units that are held but not paid may come back."},
     {"已售罄", "没有剩余库存。已保留但未付款的商品可能会重新放出。"}},
    {Code::limit_reached,
     "limit_reached",
     409,
     {"Limit reached", "You have bought as many as this sale allows one buyer: see your ticket."},
     {"已达限购数量", "您已达到本场活动的限购数量：请查看您的凭据。"}},
    {Code::too_large,
     "too_large",
     413,
     {"Too large", "The body is larger than this server takes."},
     {"内容过大", "请求内容超过了服务器允许的大小。"}},
    {Code::header_too_large,
     "too_large",
     431,
     {"Headers too large",
      "The request line and headers are larger, or more, than this server takes."},
     {"请求头过大", "请求行与请求头超过了服务器允许的大小或数量。"}},
    {Code::unsupported_media_type,
     "unsupported_media_type",
     415,
     {"Unsupported media type", "Send the body as application/json in UTF-8, not compressed."},
     {"不支持的内容类型", "请以 UTF-8 编码的 application/json 发送内容，且不要压缩。"}},
    {Code::invalid,
     "invalid",
     422,
     {"Invalid input", "Something in the request is not acceptable: see errors."},
     {"输入无效", "请求中有不可接受的内容：详见 errors。"}},
    {Code::idempotency_mismatch,
     "idempotency_mismatch",
     422,
     {"Idempotency key reused",
      "This Idempotency-Key was used before with another body: use a new key for a new request."},
     {"幂等键重复使用", "该 Idempotency-Key 已用于不同的内容：新的请求请使用新的键。"}},
    {Code::upgrade_required,
     "upgrade_required",
     426,
     {"A WebSocket lives here", "Ask for it with the Upgrade header, in version 13."},
     {"此处为 WebSocket", "请使用 Upgrade 头（版本 13）建立连接。"}},
    {Code::rate_limited,
     "rate_limited",
     429,
     {"Too fast", "Too many requests: wait as long as Retry-After says."},
     {"请求过快", "请求过于频繁：请按 Retry-After 指示的时间等待。"}},
    {Code::gate_closed,
     "gate_closed",
     429,
     {"The gate is closed",
      "As many buyers as can still win are inside: try again as soon as Retry-After says."},
     {"闸口已满", "当前放行人数已达上限：请按 Retry-After 指示的时间重试。"}},
    {Code::internal,
     "internal",
     500,
     {"Internal error", "This is a mistake of ours. Please tell us the request_id."},
     {"内部错误", "这是我们的错误，请告知我们 request_id。"}},
    {Code::paused,
     "paused",
     503,
     {"Paused", "The sale is paused for a moment. Nothing was taken: send the same request again."},
     {"活动暂停", "活动暂时停止，尚未处理任何内容：请稍后重发同一请求。"}},
    {Code::busy,
     "busy",
     503,
     {"Busy",
      "Too much is going on right now. Nothing was taken: send the same request again in a "
      "moment."},
     {"系统繁忙", "当前请求过多，尚未处理任何内容：请稍后重发同一请求。"}},
    {Code::unavailable,
     "unavailable",
     503,
     {"Unavailable",
      "Something we depend on is away. Nothing was taken: send the same request again in a "
      "moment."},
     {"暂时不可用", "所依赖的服务暂时不可用，尚未处理任何内容：请稍后重发同一请求。"}},
    {Code::read_only,
     "unavailable",
     503,
     {"No changes at the moment",
      "What is there can be read, but nothing can be changed right now. Nothing was taken: send "
      "the "
      "same request again in a moment."},
     {"暂时无法修改", "目前只能查看，无法修改，尚未处理任何内容：请稍后重发同一请求。"}},
    {Code::outcome_unknown,
     "unavailable",
     503,
     {"Outcome unknown",
      "We do not know yet whether it was done. Send the same request again in a moment: it shows "
      "what came of it."},
     {"结果未知", "尚不清楚是否已完成：请稍后重发同一请求，以查看结果。"}},
}};

consteval bool in_order() {
    for (std::size_t i = 0; i < kCodes; ++i)
        if (kEntries[i].code != static_cast<Code>(i)) return false;
    return true;
}
static_assert(in_order(), "kEntries is indexed by Code");

const Entry& entry_of(Code code) {
    return kEntries[static_cast<std::size_t>(code)];
}

const Wording& wording_of(const Entry& entry, Language language) {
    return language == Language::zh ? entry.zh : entry.en;
}

boost::json::object base_object(const Entry& entry, const Wording& wording) {
    return {{"type", "urn:sluice:problem:" + std::string(entry.name)},
            {"title", wording.title},
            {"status", entry.status},
            {"code", entry.name}};
}

/// The whole problem except the request id, which comes last.
const std::string& ready_made(Code code, Language language) {
    static const auto all = [] {
        std::array<std::array<std::string, 2>, kCodes> texts;
        for (const auto& entry : kEntries) {
            for (auto each : {Language::en, Language::zh}) {
                const auto& wording = wording_of(entry, each);
                auto object = base_object(entry, wording);
                object["detail"] = wording.detail;
                auto text = boost::json::serialize(object);
                text.pop_back();
                text += ",\"request_id\":\"";
                texts[static_cast<std::size_t>(entry.code)][static_cast<std::size_t>(each)] = text;
            }
        }
        return texts;
    }();
    return all[static_cast<std::size_t>(code)][static_cast<std::size_t>(language)];
}

void begin(Response& response, const Entry& entry) {
    response.status = entry.status;
    response.problem = entry.code;
    response.content_type = "application/problem+json";
    response.cache_control = "no-store";
    response.lend({});
}

}  // namespace

int status_of(Code code) {
    return entry_of(code).status;
}

std::string_view name_of(Code code) {
    return entry_of(code).name;
}

std::vector<std::string> code_names() {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < kCodes; ++i) names.emplace_back(name_of(static_cast<Code>(i)));
    return names;
}

void write_problem(Response& response, Code code, const ProblemContext& context) {
    begin(response, entry_of(code));
    response.body = ready_made(code, context.language);
    response.body.append(context.request_id).append("\"}");
}

void write_problem(Response& response, Code code, const ProblemContext& context,
                   std::string_view detail, const std::vector<FieldError>& errors) {
    const auto& entry = entry_of(code);
    const auto& wording = wording_of(entry, context.language);
    begin(response, entry);
    auto object = base_object(entry, wording);
    object["detail"] = detail.empty() ? wording.detail : detail;
    object["request_id"] = context.request_id;
    if (!errors.empty()) {
        auto& list = object["errors"].emplace_array();
        for (const auto& error : errors)
            list.push_back(
                {{"field", error.field}, {"message", text_of(error.complaint, context.language)}});
    }
    response.body = boost::json::serialize(object);
}

void write_too_large(Response& response, const ProblemContext& context, std::size_t most_bytes) {
    const auto most = std::to_string(most_bytes);
    const auto detail = context.language == Language::zh
                            ? "请求内容超过了服务器允许的 " + most + " 字节。"
                            : "The body is larger than the " + most + " bytes this server takes.";
    write_problem(response, Code::too_large, context, detail);
}

void write_retry_after(Response& response, int seconds) {
    response.add_header("Retry-After", std::to_string(seconds));
}

}  // namespace sluice::http
