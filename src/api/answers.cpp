#include "api/answers.hpp"

#include <charconv>

#include <boost/json/serialize.hpp>

#include "domain/ids.hpp"

namespace sluice::api {
namespace {

using http::Code;

std::string_view wording_of(Detail detail, http::Language language) {
    const bool zh = language == http::Language::zh;
    switch (detail) {
        case Detail::none:
        case Detail::outcome_unknown:  // the code says it
            return "";
        case Detail::wrong_credentials:
            return zh ? "手机号或密码不正确。" : "The phone or the password is wrong.";
        case Detail::phone_taken:
            return zh ? "该手机号已被注册。" : "The phone is taken.";
        case Detail::changed_meanwhile:
            return zh ? "内容已被他人修改：请重新读取后再试。"
                      : "Somebody else changed it meanwhile: read it again and repeat.";
        case Detail::standing_sale_exists:
            return zh ? "该商品已有常规销售。" : "The item has a standing sale already.";
        case Detail::too_many_items:
            return zh ? "商品数量已达本服务器上限。"
                      : "There are as many items as this server holds.";
        case Detail::too_many_sales:
            return zh ? "活动数量已达上限。"
                      : "There are as many sales as this server, or this item, holds.";
        case Detail::too_few_left:
            return zh ? "剩余库存不足以减少这么多。"
                      : "Fewer units are left than you want to take away.";
        case Detail::too_much_stock:
            return zh ? "超过单场活动的库存上限。" : "That is more than one sale can hold.";
        case Detail::not_pending:
            return zh ? "只有待付款的订单才能取消。" : "Only a pending order can be cancelled.";
        case Detail::not_payable:
            return zh ? "该订单已不能付款。" : "The order cannot be paid any more.";
        case Detail::not_paid:
            return zh ? "只有已付款的订单才能退款。" : "Only a paid order can be refunded.";
        case Detail::too_many_payments:
            return zh ? "该订单的付款尝试次数过多。"
                      : "There have been too many attempts to pay this order.";
        case Detail::no_provider:
            return zh ? "本服务器未启用付款。" : "This server takes no payments.";
        case Detail::no_challenge_needed:
            return zh ? "本场活动无需验证：请直接获取通行证。"
                      : "This sale needs no challenge: ask for a pass at once.";
        case Detail::flash_sale_runs:
            return zh ? "该商品正在秒杀：请前往秒杀活动购买。"
                      : "A flash sale of this item is running: buy there until it ends.";
        case Detail::own_role:
            return zh ? "不能修改自己的角色。" : "Nobody changes their own role.";
        case Detail::admins_only:
            return zh ? "只有管理员才能授予或收回管理员角色。"
                      : "Only an admin makes somebody an admin, or takes that away.";
        case Detail::last_admin:
            return zh ? "不能撤销最后一位管理员。" : "The last admin stays one.";
        case Detail::own_block:
            return zh ? "不能封禁自己或自己所在的地址。"
                      : "That would block you, or the address that you come from.";
        case Detail::too_many_blocks:
            return zh ? "封禁数量已达上限。" : "There are as many blocks as this server holds.";
        case Detail::too_many_webhooks:
            return zh ? "Webhook 数量已达上限。"
                      : "There are as many webhooks as this server holds.";
        case Detail::orders_lost:
            return zh ? "账本丢失了订单：在运营人员处理之前，任何活动都不会开放。"
                      : "The ledger has lost orders: no sale opens until that has been dealt with "
                        "at the server.";
    }
    return "";
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

void answer(http::Exchange& exchange, const Refusal& refusal) {
    const bool unknown = refusal.detail == Detail::outcome_unknown;
    const auto code = unknown ? Code::outcome_unknown : code_of(refusal.reason);
    if (http::status_of(code) == 503) http::write_retry_after(exchange.response, 1);
    if (refusal.detail == Detail::none && refusal.errors.empty() && !refusal.ticket)
        return exchange.refuse(code);
    const auto detail = wording_of(refusal.detail, exchange.context.language);
    http::write_problem(exchange.response, code, exchange.context, detail, refusal.errors);
    if (!refusal.ticket) return;
    auto& body = exchange.response.body;
    body.pop_back();
    body.append(",\"ticket\":\"").append(refusal.ticket->text()).append("\"}");
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
