#include "api/wordings.hpp"

#include <iterator>

namespace sluice::api {
namespace {

template <class Key>
struct Wording {
    Key key;
    std::string_view english, chinese;
};

constexpr Wording<Detail> kDetails[] = {
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
    {Detail::has_second_factor, "There is a second factor already.", "已启用两步验证。"},
    {Detail::no_second_factor, "There is no second factor to confirm or remove.",
     "未启用两步验证。"},
    {Detail::second_factor_stays, "This server asks a second factor of your role: it stays.",
     "本服务器要求启用两步验证，不能关闭。"},
    {Detail::outcome_unknown, "", ""},  // the code says it
    {Detail::pass_lapsed,
     "Your last pass expired unused, so that others had to wait. You get the next one as soon as "
     "Retry-After says.",
     "您上次获取的通行证未使用就过期了：请按 Retry-After 指示的时间等待后再试。"},
    {Detail::place_missed,
     "Places were kept for you, and you did not come for them in time, so that others had to wait. "
     "You take part again as soon as Retry-After says.",
     "曾为您保留名额，但您未及时领取：请按 Retry-After 指示的时间等待后再试。"},
    {Detail::left_unpaid,
     "You have left several orders of this sale unpaid. You get the next pass as soon as "
     "Retry-After says.",
     "您在本场活动中多次下单未付款：请按 Retry-After 指示的时间等待后再试。"},
    {Detail::network_full,
     "As many people of your network as may hold unpaid units of this sale. You get a pass when "
     "one of them has paid or given up.",
     "您所在网络中持有本场活动未付款订单的人数已达上限：有人付款或放弃后即可获得资格。"},
    {Detail::item_on_sale, "The item has a sale that has not ended: end it first.",
     "该商品有尚未结束的活动：请先结束活动。"},
    {Detail::item_archived, "The item is archived: bring it back first.",
     "该商品已归档：请先恢复。"},
    {Detail::list_full,
     "The list would have more people than the list of one sale may have, which is 1,000,000. "
     "Nothing was changed.",
     "名单人数将超过单场活动的上限（1,000,000 人），未做任何修改。"},
    {Detail::listed_first,
     "For now only the buyers on the list of this sale can buy. From listed_until on everybody "
     "can.",
     "目前仅限名单内用户购买，listed_until 起所有人均可购买。"},
    {Detail::nothing_to_deliver, "Only a paid order is delivered.", "只有已付款的订单才能配送。"},
    {Detail::contact_fixed, "The details of this order cannot change any more.",
     "该订单的收货信息已不能修改。"},
    {Detail::too_many_pictures,
     "There are as many pictures as this server holds: remove some from items, and they go after a "
     "week.",
     "图片数量或容量已达本服务器上限：从商品中移除的图片会在一周后清除。"},
    {Detail::picture_in_use, "An item shows this picture: take it out there first.",
     "有商品正在使用该图片：请先从商品中移除。"},
};

constexpr Wording<Remark> kRemarkTexts[] = {
    {Remark::too_many_streams_of_user, "You have as many streams open as you may.",
     "您打开的实时连接已达上限。"},
    {Remark::too_many_streams_of_address, "Your address has as many streams open as it may.",
     "您所在网络地址的实时连接已达上限。"},
    {Remark::too_many_exports, "As many exports are under way as this server makes at once.",
     "正在进行的导出已达上限：请稍后再试。"},
    {Remark::bad_signature, "The signature is missing, wrong or too old.",
     "签名缺失、错误或已过时。"},
    {Remark::message_not_object, "A message is one JSON object.", "消息必须是一个 JSON 对象。"},
    {Remark::message_not_understood,
     "A message has lists of sale ids as watch, unwatch or both, and nothing else.",
     "消息只能包含 watch 和 unwatch，且均为活动编号的列表。"},
    {Remark::no_such_sales, "There are no such sales.", "没有这些活动。"},
    {Remark::too_many_watched, "This stream watches as many sales as it may: unwatch some first.",
     "该连接关注的活动已达上限：请先取消部分关注。"},
    {Remark::ticket_not_written,
     "The ticket still cannot be written, since its rows do not fit together: sluice audit names "
     "them. It stays parked.",
     "该申请仍无法写入，因其数据记录不一致：请用 sluice audit 查看。该申请仍为搁置状态。"},
    {Remark::ticket_is_ordered,
     "The ticket has become an order, so it cannot be refused: cancel or refund the order.",
     "该申请已生成订单，不能拒绝：请取消订单或退款。"},
    {Remark::send_csv, "Send the list as text/csv in UTF-8, not compressed.",
     "请以 UTF-8 编码的 text/csv 发送名单，且不要压缩。"},
    {Remark::not_a_picture,
     "Send the file itself as the body, with Content-Type image/jpeg or image/png.",
     "请以文件本身作为正文，Content-Type 为 image/jpeg 或 image/png。"},
};

/// Whether there is one wording for each key, in the order of the keys, and in both languages or in
/// neither.
consteval bool is_complete(const auto& wordings, std::size_t keys) {
    for (std::size_t i = 0; i < std::size(wordings); ++i) {
        const auto& [key, english, chinese] = wordings[i];
        if (static_cast<std::size_t>(key) != i || english.empty() != chinese.empty()) return false;
    }
    return std::size(wordings) == keys;
}
static_assert(is_complete(kDetails, static_cast<std::size_t>(Detail::picture_in_use) + 1));
static_assert(is_complete(kRemarkTexts, kRemarks));

std::string_view in(http::Language language, const auto& wording) {
    return language == http::Language::zh ? wording.chinese : wording.english;
}

}  // namespace

std::string_view wording_of(Detail detail, http::Language language) {
    return in(language, kDetails[static_cast<std::size_t>(detail)]);
}

std::string_view wording_of(Remark remark, http::Language language) {
    return in(language, kRemarkTexts[static_cast<std::size_t>(remark)]);
}

std::string message_with_code(std::string_view code, int minutes, http::Language language) {
    const bool zh = language == http::Language::zh;
    std::string text(zh ? "【Sluice】验证码 " : "Sluice: your code is ");
    text.append(code).append(zh ? "，" : ". It is good for ").append(std::to_string(minutes));
    return text.append(zh ? " 分钟内有效。请勿告诉他人。" : " minutes. Tell it to nobody.");
}

}  // namespace sluice::api
