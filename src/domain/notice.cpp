#include "domain/notice.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/check.hpp"
#include "base/names.hpp"

namespace sluice {
namespace {

constexpr std::string_view kArgumentGap = "{}";
constexpr Names<Language::zh> kBetween({{Language::en, "; "}, {Language::zh, "；"}});

struct NoticeSentence {
    NoticeRule rule;
    std::string_view name;
    std::string_view en, zh;  // with a {} for each argument, in the same order
};

constexpr auto kNoticeSentences = std::to_array<NoticeSentence>({
    {NoticeRule::promise_stock, "promise_stock",
     "total = left + held + sold, none negative; held and sold are the units of pending and paid "
     "orders",
     "总数 = 剩余 + 占用 + 已售，均不为负；占用和已售分别等于待付款订单和已付款订单的件数"},
    {NoticeRule::promise_limits, "promise_limits",
     "no buyer's live orders exceed the sale's limit, and holdings say what they are",
     "买家的有效订单不超过活动限购数，且持有量与之一致"},
    {NoticeRule::promise_answers, "promise_answers",
     "no ticket has been prepared for more than five minutes, unless it is parked; none is parked "
     "that is decided",
     "没有凭证待写入超过五分钟（已搁置的除外）；已有结果的凭证不会仍处于搁置状态"},
    {NoticeRule::promise_tickets, "promise_tickets",
     "each committed ticket has its one order, each order its ticket, and no other ticket has any; "
     "every ticket is found by its buyer's holdings",
     "每个成功的凭证有且只有一个订单，每个订单都有对应的凭证，其他凭证没有订单；"
     "每个凭证都能通过买家的持有量找到"},
    {NoticeRule::promise_captures, "promise_captures",
     "one capture of its price paid each order that was paid, at a time on record, and no other; "
     "captures less their refunds are the paid orders",
     "每个已付款订单都有且只有一笔金额相符的入账，并记录了付款时间；"
     "入账减去退款即为已付款订单"},
    {NoticeRule::promise_refunds, "promise_refunds",
     "whatever money paid no order is owed back, once; a capture goes back only by an operator",
     "未用于支付订单的款项均应退还且只退一次；已支付订单的入账只能由运营人员退还"},
    {NoticeRule::promise_windows, "promise_windows",
     "nothing was claimed outside the sale's window, in a pause or after its end",
     "在活动时间之外、暂停期间或结束之后没有抢到任何库存"},
    {NoticeRule::promise_outbox, "promise_outbox",
     "each webhook is told all it wants of every order since it was made, in the order's order: "
     "delivered, pending or dead",
     "每个 Webhook 自创建以来所订阅的订单事件均按顺序记录：已送达、待投递或已放弃"},
    {NoticeRule::promise_trail, "promise_trail",
     "each deed follows the one before, none changed, removed or put in",
     "操作记录前后相连，没有被修改、删除或插入"},
    {NoticeRule::promise_archive, "promise_archive",
     "each archived sale is what was moved, row by row", "每场已归档活动的数据与移入时逐行一致"},
    {NoticeRule::row_without_origin, "row_without_origin",
     "a row that refers to something that is not there", "有一行数据所指的内容不存在"},
    {NoticeRule::stock_does_not_add_up, "stock_does_not_add_up",
     "sale {} has {} in total, but {} left, {} held and {} sold",
     "活动 {} 总数为 {}，但剩余 {}、占用 {}、已售 {}"},
    {NoticeRule::stock_differs_from_orders, "stock_differs_from_orders",
     "sale {} has {} held and {} sold, but its orders say {} and {}",
     "活动 {} 占用 {}、已售 {}，但按订单应为 {} 和 {}"},
    {NoticeRule::order_without_sale, "order_without_sale",
     "order {} is of sale {}, which is not there", "订单 {} 所属的活动 {} 不存在"},
    {NoticeRule::units_break_limit, "units_break_limit",
     "buyer {} in sale {} has {} units in live orders and {} in holdings, with a limit of {}",
     "买家 {} 在活动 {} 中有效订单共 {} 件，持有量为 {} 件，限购 {} 件"},
    {NoticeRule::ticket_still_prepared, "ticket_still_prepared",
     "ticket {} of buyer {} in sale {} is still prepared",
     "凭证 {}（买家 {}，活动 {}）仍在等待写入"},
    {NoticeRule::ticket_parked_and_decided, "ticket_parked_and_decided",
     "ticket {} of buyer {} in sale {} is parked, and decided",
     "凭证 {}（买家 {}，活动 {}）已有结果，却仍处于搁置状态"},
    {NoticeRule::ticket_without_order, "ticket_without_order",
     "ticket {} of buyer {} in sale {} names order {}, which is not there",
     "凭证 {}（买家 {}，活动 {}）对应的订单 {} 不存在"},
    {NoticeRule::ticket_differs_from_order, "ticket_differs_from_order",
     "ticket {} of buyer {} in sale {} names order {}, which does not fit",
     "凭证 {}（买家 {}，活动 {}）与其订单 {} 不符"},
    {NoticeRule::ticket_not_found, "ticket_not_found",
     "ticket {} of buyer {} in sale {} is not found by its buyer's holdings",
     "通过买家的持有量找不到凭证 {}（买家 {}，活动 {}）"},
    {NoticeRule::order_without_ticket, "order_without_ticket",
     "order {} in sale {} has no committed ticket", "订单 {}（活动 {}）没有对应的成功凭证"},
    {NoticeRule::order_lacks_payment_time, "order_lacks_payment_time",
     "order {} in sale {} is {} without a time of payment",
     "订单 {}（活动 {}）状态为 {}，却没有付款时间"},
    {NoticeRule::order_has_payment_time, "order_has_payment_time",
     "order {} in sale {} is {} with a time of payment",
     "订单 {}（活动 {}）状态为 {}，却有付款时间"},
    {NoticeRule::capture_differs_from_order, "capture_differs_from_order",
     "order {} in sale {} is {} and costs {} {}, but {} {} paid it",
     "订单 {}（活动 {}）状态为 {}，应付 {} {}，入账 {} {}"},
    {NoticeRule::returned_capture_differs, "returned_capture_differs",
     "order {} in sale {} is {} and costs {} {}, but {} {} paid it and went back",
     "订单 {}（活动 {}）状态为 {}，应付 {} {}，入账 {} {} 且已退还"},
    {NoticeRule::order_without_one_capture, "order_without_one_capture",
     "order {} in sale {} is {}, but {} captures paid it",
     "订单 {}（活动 {}）状态为 {}，却有 {} 笔入账"},
    {NoticeRule::charge_not_owed_back, "charge_not_owed_back",
     "charge {} of order {} in sale {} paid nothing, and is not owed back",
     "扣款 {}（订单 {}，活动 {}）未支付任何订单，却未列入应退"},
    {NoticeRule::refund_elsewhere, "refund_elsewhere",
     "charge {} of order {} in sale {} is to go back for another provider or order",
     "扣款 {}（订单 {}，活动 {}）的退款记在了另一支付方或订单名下"},
    {NoticeRule::capture_sent_back, "capture_sent_back",
     "charge {} of order {} in sale {} paid the order, and went back as {}",
     "扣款 {}（订单 {}，活动 {}）已支付订单，却以 {} 为由退回"},
    {NoticeRule::refund_of_other_order, "refund_of_other_order",
     "charge {} of order {} in sale {} went back for an order that it did not pay",
     "扣款 {}（订单 {}，活动 {}）因并非由它支付的订单而退还"},
    {NoticeRule::payment_differs_from_order, "payment_differs_from_order",
     "payment {} of order {} in sale {} is {} for {} {}",
     "付款 {}（订单 {}，活动 {}）状态为 {}，金额为 {} {}，与订单不符"},
    {NoticeRule::claimed_before_start, "claimed_before_start",
     "ticket {} of buyer {} in sale {} was claimed before the start",
     "凭证 {}（买家 {}，活动 {}）在活动开始前抢到库存"},
    {NoticeRule::claimed_after_window, "claimed_after_window",
     "ticket {} of buyer {} in sale {} was claimed after the window",
     "凭证 {}（买家 {}，活动 {}）在活动时间结束后抢到库存"},
    {NoticeRule::claimed_after_end, "claimed_after_end",
     "ticket {} of buyer {} in sale {} was claimed after the operator's end",
     "凭证 {}（买家 {}，活动 {}）在运营人员结束活动后抢到库存"},
    {NoticeRule::claimed_in_pause, "claimed_in_pause",
     "ticket {} of buyer {} in sale {} was claimed in a pause",
     "凭证 {}（买家 {}，活动 {}）在暂停期间抢到库存"},
    {NoticeRule::event_not_planned, "event_not_planned",
     "webhook {} was never to be told {} of order {}",
     "Webhook {} 未列入事件 {} 的通知（订单 {}）"},
    {NoticeRule::event_never_due, "event_never_due", "webhook {} never gets to event {}",
     "Webhook {} 的事件 {} 永远不会投递"},
    {NoticeRule::event_does_not_wait, "event_does_not_wait",
     "webhook {} does not wait with event {}", "Webhook {} 的事件 {} 没有等待前面的事件"},
    {NoticeRule::event_too_early, "event_too_early", "webhook {} was told too early of event {}",
     "Webhook {} 过早收到事件 {}"},
    {NoticeRule::event_missing, "event_missing",
     "webhook {} is to be told of event {}, which is not there",
     "Webhook {} 应收到的事件 {} 不存在"},
    {NoticeRule::deeds_lost, "deeds_lost", "before deed {} the trail has lost {}",
     "操作记录 {} 之前缺失 {} 条"},
    {NoticeRule::deed_removed, "deed_removed", "deed {} was removed", "操作记录 {} 已被删除"},
    {NoticeRule::deed_changed, "deed_changed",
     "deed {} was changed, or does not follow the one before",
     "操作记录 {} 已被修改，或与前一条不相连"},
    {NoticeRule::deed_put_in, "deed_put_in", "deed {} was put in", "操作记录 {} 是后来插入的"},
    {NoticeRule::archive_file_missing, "archive_file_missing",
     "archived sale {} is not there: its file archive.db is missing",
     "已归档活动 {} 无法读取：文件 archive.db 缺失"},
    {NoticeRule::archive_rows_changed, "archive_rows_changed",
     "archived sale {} is not what was moved: rows are missing or were changed",
     "已归档活动 {} 与移入时不一致：有数据缺失或被修改"},
    {NoticeRule::archive_stock_differs, "archive_stock_differs",
     "archived sale {} has another stock in the ledger", "已归档活动 {} 的库存与账本中不一致"},
    {NoticeRule::ledger_lost, "ledger_lost", "{}", "账本丢失了已写入的数据：{}"},
    {NoticeRule::tickets_waiting, "tickets_waiting", "{} prepared tickets, {} parked",
     "{} 张凭证等待写入，{} 张已搁置"},
    {NoticeRule::tickets_waiting_since, "tickets_waiting_since",
     "{} prepared tickets, {} parked, the oldest since {}: send them again or refuse them",
     "{} 张凭证等待写入，{} 张已搁置，最早的始于 {}：请重新发送或拒绝"},
    {NoticeRule::nothing_owed, "nothing_owed", "every refund has been carried out",
     "所有退款均已完成"},
    {NoticeRule::refunds_owed, "refunds_owed",
     "{} not carried out yet by {}: {} {} in minor units, the oldest since {}",
     "{} 笔退款尚未由 {} 完成：共 {} {}（最小货币单位），最早的始于 {}"},
    {NoticeRule::accepted_at_restore, "accepted_at_restore",
     "accepted at a restore: ", "恢复备份时已确认接受："},
    {NoticeRule::and_more, "and_more", "and {} more", "另有 {} 项"},
    {NoticeRule::copy_not_needed, "copy_not_needed",
     "the sale needs no hot copy, or has just begun to have one",
     "该活动不需要热副本，或刚刚开始需要"},
    {NoticeRule::copy_missing, "copy_missing",
     "there is no hot copy, so nothing can be sold, since {}", "没有热副本，无法销售，始于 {}"},
    {NoticeRule::copy_drifting, "copy_drifting",
     "it differs from the ledger, seen at {}: ", "与账本不一致，发现于 {}："},
    {NoticeRule::copy_agreed, "copy_agreed", "it agreed with the ledger at {}", "在 {} 与账本一致"},
    {NoticeRule::copy_not_compared, "copy_not_compared",
     "it has not been at rest to be compared yet", "一直在销售中，尚未与账本比对"},
    {NoticeRule::copy_refilled, "copy_refilled",
     "filled anew after a drift, seen at {}: ", "曾有偏差，已重新填充，发现于 {}："},
    {NoticeRule::epoch_differs, "epoch_differs", "epoch is {}, in the ledger {}",
     "代为 {}，账本中为 {}"},
    {NoticeRule::left_differs, "left_differs", "left is {}, in the ledger {}",
     "剩余为 {}，账本中为 {}"},
    {NoticeRule::buyer_units_differ, "buyer_units_differ", "buyer {} is {}, in the ledger {}",
     "买家 {} 为 {} 件，账本中为 {} 件"},
    {NoticeRule::sales_without_copy, "sales_without_copy",
     "{} open sales have no hot copy and cannot sell, the first is {}",
     "{} 场进行中的活动没有热副本，无法销售，第一场是 {}"},
    {NoticeRule::ledger_fails, "ledger_fails", "{}", "账本无法写入：{}"},
    {NoticeRule::archive_fails, "archive_fails", "{}", "归档无法读取：{}"},
    {NoticeRule::backup_failed, "backup_failed", "the last backup failed: {}", "上次备份失败：{}"},
    {NoticeRule::payments_off, "payments_off", "payments.provider is none: buyers cannot pay here",
     "payments.provider 为 none：买家无法在此付款"},
    {NoticeRule::clock_ahead_suspected, "clock_ahead_suspected",
     "the system clock is {} s ahead of the shop's; it is not followed unless that lasts",
     "系统时钟比店铺时间快 {} 秒；除非持续如此，否则不会跟随"},
    {NoticeRule::clock_behind_suspected, "clock_behind_suspected",
     "the system clock is {} s behind the shop's; it is not followed unless that lasts",
     "系统时钟比店铺时间慢 {} 秒；除非持续如此，否则不会跟随"},
    {NoticeRule::clock_ahead_followed, "clock_ahead_followed",
     "the system clock is {} s ahead of the shop's; it is followed gradually, or at once by a "
     "restart with --trust-clock",
     "系统时钟比店铺时间快 {} 秒；正在逐步跟随，如需立即跟随请用 --trust-clock 重启"},
    {NoticeRule::clock_behind_followed, "clock_behind_followed",
     "the system clock is {} s behind the shop's; it is followed gradually, or at once by a "
     "restart with --trust-clock",
     "系统时钟比店铺时间慢 {} 秒；正在逐步跟随，如需立即跟随请用 --trust-clock 重启"},
    {NoticeRule::clock_before_record, "clock_before_record",
     "the time is {} s before the last one on record", "当前时间比最近一次记录的时间早 {} 秒"},
    {NoticeRule::draining, "draining", "draining", "正在停止"},
    {NoticeRule::broker_connecting, "broker_connecting",
     "away: connecting; tickets are noted in the ledger", "不可用：正在连接；凭证先记入账本"},
    {NoticeRule::broker_away, "broker_away", "away: {}; tickets are noted in the ledger",
     "不可用：{}；凭证先记入账本"},
    {NoticeRule::broker_full, "broker_full", "full: it takes no more messages",
     "已满：不再接收消息"},
    {NoticeRule::redis_silent, "redis_silent", "Redis has not answered yet", "Redis 尚未响应"},
    {NoticeRule::redis_away, "redis_away", "Redis is away: {}", "Redis 不可用：{}"},
    {NoticeRule::redis_too_old, "redis_too_old", "Redis is version {}; 7.0 or newer is needed",
     "Redis 版本为 {}；需要 7.0 或更高版本"},
    {NoticeRule::redis_evicts_keys, "redis_evicts_keys",
     "maxmemory-policy is {}; with noeviction no key is lost",
     "maxmemory-policy 为 {}；设为 noeviction 才不会丢失键"},
    {NoticeRule::redis_hides_config, "redis_hides_config",
     "CONFIG GET is not allowed, so persistence and min-replicas-to-write are not known",
     "不允许执行 CONFIG GET，因此无法得知持久化设置和 min-replicas-to-write"},
    {NoticeRule::redis_keeps_nothing, "redis_keeps_nothing",
     "neither appendonly nor save is on: each restart empties it",
     "appendonly 和 save 均未启用：每次重启都会清空数据"},
    {NoticeRule::redis_save_failed, "redis_save_failed",
     "the last attempt to write its data to disk has failed", "最近一次将数据写入磁盘失败"},
    {NoticeRule::redis_replicas_unsure, "redis_replicas_unsure",
     "it has replicas and min-replicas-to-write is 0: a master that is cut off goes on",
     "有从节点，但 min-replicas-to-write 为 0：与从节点断开的主节点会继续写入"},
    {NoticeRule::redis_memory_nearly_full, "redis_memory_nearly_full",
     "its memory is nearly full: {} of {} bytes", "内存即将用满：已用 {} 字节，共 {} 字节"},
});

constexpr std::size_t count_argument_gaps(std::string_view sentence) {
    std::size_t gaps = 0;
    for (auto at = sentence.find(kArgumentGap); at != sentence.npos;
         at = sentence.find(kArgumentGap, at + 1))
        ++gaps;
    return gaps;
}

consteval bool is_catalogue_complete() {
    if (kNoticeSentences.size() != kNoticeRules) return false;
    for (std::size_t i = 0; i < kNoticeRules; ++i) {
        const auto& [rule, name, en, zh] = kNoticeSentences[i];
        if (static_cast<std::size_t>(rule) != i || name.empty() || en.empty() || zh.empty())
            return false;
        if (count_argument_gaps(en) != count_argument_gaps(zh)) return false;
    }
    return true;
}
static_assert(is_catalogue_complete(),
              "every rule has its sentence, in order and in both languages");

const NoticeSentence& sentence_of(NoticeRule rule) {
    return kNoticeSentences[static_cast<std::size_t>(rule)];
}

}  // namespace

std::string_view name_of(NoticeRule rule) {
    return sentence_of(rule).name;
}

std::optional<NoticeRule> parse_notice_rule(std::string_view name) {
    const auto found = std::ranges::find(kNoticeSentences, name, &NoticeSentence::name);
    if (found == kNoticeSentences.end()) return std::nullopt;
    return found->rule;
}

std::size_t count_arguments(NoticeRule rule) {
    return count_argument_gaps(sentence_of(rule).en);
}

std::string text_of(const Notice& notice, Language language) {
    const auto& entry = sentence_of(notice.rule);
    auto sentence = language == Language::zh ? entry.zh : entry.en;
    CHECK(count_argument_gaps(sentence) == notice.arguments.size(),
          "a sentence has a gap for each argument");
    std::string text;
    for (const auto& argument : notice.arguments) {
        const auto gap = sentence.find(kArgumentGap);
        text.append(sentence.substr(0, gap)).append(argument);
        sentence.remove_prefix(gap + kArgumentGap.size());
    }
    return text.append(sentence).append(text_of(notice.about, language));
}

std::string text_of(const std::vector<Notice>& notices, Language language) {
    std::string text;
    for (const auto& each : notices) {
        if (!text.empty()) text += kBetween.text(language);
        text += text_of(each, language);
    }
    return text;
}

}  // namespace sluice
