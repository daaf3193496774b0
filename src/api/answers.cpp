#include "api/answers.hpp"

#include <charconv>

#include <boost/json/serialize.hpp>

#include "domain/ids.hpp"

namespace sluice::api {
namespace {

using http::Code;

struct Wording {
    Detail detail;
    std::string_view english, chinese;
};
constexpr Wording kWordings[] = {
    {Detail::none, "", ""},
    {Detail::wrong_credentials, "The phone or the password is wrong.", "手机号或密码不正确。"},
    {Detail::phone_taken, "The phone is taken.", "该手机号已被注册。"},
    {Detail::changed_meanwhile, "Somebody else changed it meanwhile: read it again and repeat.",
     "内容已被他人修改：请重新读取后再试。"},
    {Detail::standing_sale_exists, "The item has a standing sale already.", "该商品已有常规销售。"},
    {Detail::too_many_items, "There are as many items as this server holds.",
     "商品数量已达本服务器上限。"},
    {Detail::too_many_sales, "There are as many sales as this server, or this item, holds.",
     "活动数量已达上限。"},
    {Detail::too_few_left, "Fewer units are left than you want to take away.",
     "剩余库存不足以减少这么多。"},
    {Detail::too_much_stock, "That is more than one sale can hold.", "超过单场活动的库存上限。"},
    {Detail::not_pending, "Only a pending order can be cancelled.", "只有待付款的订单才能取消。"},
    {Detail::not_payable, "The order cannot be paid any more.", "该订单已不能付款。"},
    {Detail::not_paid, "Only a paid order can be refunded.", "只有已付款的订单才能退款。"},
    {Detail::too_many_payments, "There have been too many attempts to pay this order.",
     "该订单的付款尝试次数过多。"},
    {Detail::no_provider, "This server takes no payments.", "本服务器未启用付款。"},
    {Detail::no_challenge_needed, "This sale needs no challenge: ask for a pass at once.",
     "本场活动无需验证：请直接获取通行证。"},
    {Detail::flash_sale_runs, "A flash sale of this item is running: buy there until it ends.",
     "该商品正在秒杀：请前往秒杀活动购买。"},
    {Detail::own_role, "Nobody changes their own role.", "不能修改自己的角色。"},
    {Detail::admins_only, "Only an admin changes roles.", "只有管理员才能修改角色。"},
    {Detail::last_admin, "The last admin stays one.", "不能撤销最后一位管理员。"},
    {Detail::own_block, "That would block you, or the address that you come from.",
     "不能封禁自己或自己所在的地址。"},
    {Detail::too_many_blocks, "There are as many blocks as this server holds.",
     "封禁数量已达上限。"},
    {Detail::too_many_webhooks, "There are as many webhooks as this server holds.",
     "Webhook 数量已达上限。"},
    {Detail::orders_lost,
     "The ledger has lost orders: no sale opens until that has been dealt with at the server.",
     "账本丢失了订单：在运营人员处理之前，任何活动都不会开放。"},
    {Detail::no_messages, "This server sends no messages to phones.", "本服务器不发送短信。"},
    {Detail::second_factor_needed, "", ""},  // the code says it
    {Detail::second_factor_wrong, "The code is wrong, or was used before: wait for the next one.",
     "验证码不正确或已使用。"},
    {Detail::has_second_factor, "There is a second factor already.", "已启用第二重验证。"},
    {Detail::no_second_factor, "There is no second factor to confirm or remove.",
     "未启用第二重验证。"},
    {Detail::second_factor_stays, "This server asks a second factor of your role: it stays.",
     "本服务器要求启用第二重验证，不能关闭。"},
    {Detail::outcome_unknown, "", ""},  // the code says it
    {Detail::pass_lapsed,
     "Your last pass expired unused, so that others had to wait. You get the next one as soon as "
     "Retry-After says.",
     "您上次获取的通行证未使用就过期了：请按 Retry-After 指示的时间等待后再试。"},
    {Detail::left_unpaid,
     "You have left several orders of this sale unpaid. You get the next pass as soon as "
     "Retry-After says.",
     "您在本场活动中多次下单未付款：请按 Retry-After 指示的时间等待后再试。"},
};
static_assert(
    [] {
        for (std::size_t i = 0; i < std::size(kWordings); ++i)
            if (static_cast<std::size_t>(kWordings[i].detail) != i) return false;
        return std::size(kWordings) == static_cast<std::size_t>(Detail::left_unpaid) + 1;
    }(),
    "a wording for every detail, in the order of the details");

std::string_view wording_of(Detail detail, http::Language language) {
    const auto& wording = kWordings[static_cast<std::size_t>(detail)];
    return language == http::Language::zh ? wording.chinese : wording.english;
}

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
    return Code::internal;
}

namespace {

/// The details that programs have to tell apart.
Code problem_code_of(const Refusal& refusal) {
    switch (refusal.detail) {
        case Detail::outcome_unknown:
            return Code::outcome_unknown;
        case Detail::second_factor_needed:
        case Detail::second_factor_wrong:
            return Code::second_factor;
        default:
            return code_of(refusal.reason);
    }
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
    if (refusal.detail == Detail::left_unpaid)
        add_member(exchange.response.body, "reason", "left_unpaid");
}

void answer(http::Exchange& exchange, int status, const boost::json::object& object) {
    exchange.response.status = status;
    exchange.response.body = boost::json::serialize(object);
}

Actor actor_of(const http::Exchange& exchange) {
    return {.id = exchange.caller->id,
            .address = exchange.client.text(),
            .request_id = std::string(exchange.context.request_id)};
}

std::optional<Page> page_of(http::Exchange& exchange) {
    Page page;
    std::vector<FieldError> errors;
    if (const auto limit = exchange.request.parameter("limit"); !limit.absent()) {
        const auto* last = limit.text.data() + limit.text.size();
        const auto [end, error] = std::from_chars(limit.text.data(), last, page.limit);
        if (error != std::errc{} || end != last || page.limit < 1 || page.limit > 100)
            errors.push_back({"limit", Complaint(Rule::whole_number_from_to, 1, 100)});
    }
    if (const auto cursor = exchange.request.parameter("cursor"); !cursor.absent()) {
        if (const auto id = Id<void>::parse(cursor.text))
            page.before = id->value;
        else
            errors.push_back({"cursor", Rule::not_cursor});
    }
    if (errors.empty()) return page;
    http::write_problem(exchange.response, Code::invalid, exchange.context, {}, errors);
    return std::nullopt;
}

}  // namespace sluice::api
