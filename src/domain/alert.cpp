#include "domain/alert.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "base/check.hpp"
#include "base/names.hpp"
#include "base/printable.hpp"

namespace sluice {
namespace {

constexpr Names<AlertKind::test> kAlertKinds({{AlertKind::sold_out, "sold_out"},
                                              {AlertKind::not_ready, "not_ready"},
                                              {AlertKind::impaired, "impaired"},
                                              {AlertKind::clock, "clock"},
                                              {AlertKind::drift, "drift"},
                                              {AlertKind::errors, "errors"},
                                              {AlertKind::webhook_given_up, "webhook_given_up"},
                                              {AlertKind::audit_failed, "audit_failed"},
                                              {AlertKind::backup_old, "backup_old"},
                                              {AlertKind::queue_late, "queue_late"},
                                              {AlertKind::ticket_parked, "ticket_parked"},
                                              {AlertKind::unconfirmed, "unconfirmed"},
                                              {AlertKind::redelivered, "redelivered"},
                                              {AlertKind::second_factor_guessed,
                                               "second_factor_guessed"},
                                              {AlertKind::test, "test"}});
constexpr Names<AlertPhase::over> kAlertPhases({{AlertPhase::event, "event"},
                                                {AlertPhase::begun, "begun"},
                                                {AlertPhase::over, "over"}});

constexpr std::string_view kSubjectGap = "{}";

/// `over` is empty for a kind that never ends.
struct AlertWords {
    AlertKind kind;
    std::string_view en, zh, over_en, over_zh;
};

constexpr auto kAlertWords = std::to_array<AlertWords>({
    {AlertKind::sold_out, "Sold out: sale {}", "已售罄：活动 {}", "", ""},
    {AlertKind::not_ready, "Not ready: {}", "未就绪：{}", "Ready again: {}", "已恢复就绪：{}"},
    {AlertKind::impaired, "Not quite well: {}", "可用，但不正常：{}", "Well again: {}",
     "已恢复正常：{}"},
    {AlertKind::clock, "The clock is in doubt", "时钟可疑", "The clock is right again",
     "时钟已恢复正常"},
    {AlertKind::drift, "A hot copy differed from the ledger and was filled anew",
     "热副本与账本有偏差，已重新填充", "", ""},
    {AlertKind::errors, "Many requests fail", "大量请求失败", "Requests succeed again",
     "请求已恢复正常"},
    {AlertKind::webhook_given_up, "Deliveries to webhooks were given up", "Webhook 投递已被放弃",
     "", ""},
    {AlertKind::audit_failed, "An audit found a broken promise: {}", "核对发现承诺未守住：{}", "",
     ""},
    {AlertKind::backup_old, "There is no fresh backup", "没有新的备份",
     "There is a fresh backup again", "已有新的备份"},
    {AlertKind::queue_late, "Queued tickets wait too long", "排队等待时间过长",
     "Queued tickets are decided in time again", "排队已恢复按时处理"},
    {AlertKind::ticket_parked, "Parked tickets wait for an operator", "有搁置的凭证等待处理",
     "No parked ticket waits any more", "搁置的凭证已处理完毕"},
    {AlertKind::unconfirmed, "The broker does not take all messages", "消息队列未能接收全部消息",
     "The broker takes all messages again", "消息队列已恢复正常接收"},
    {AlertKind::redelivered, "The broker delivers messages again and again", "消息队列反复投递消息",
     "The broker delivers each message once again", "消息队列投递已恢复正常"},
    {AlertKind::second_factor_guessed,
     "Somebody has the password of user {} and guesses at the second factor",
     "有人知道用户 {} 的密码，正在猜测两步验证码", "", ""},
    {AlertKind::test, "A test: alerts reach this channel", "测试：提醒可以送达此渠道", "", ""},
});

constexpr bool has_words_for_each() {
    for (std::size_t i = 0; i < kAlertWords.size(); ++i)
        if (static_cast<std::size_t>(kAlertWords[i].kind) != i) return false;
    return kAlertWords.size() == Names<AlertKind::test>::kCount;
}
static_assert(has_words_for_each(), "each kind has its words, in the order of the kinds");

std::string_view words_for(const Alert& alert, Language language) {
    const auto& words = kAlertWords[static_cast<std::size_t>(alert.kind)];
    if (alert.phase == AlertPhase::over)
        return language == Language::zh ? words.over_zh : words.over_en;
    return language == Language::zh ? words.zh : words.en;
}

}  // namespace

std::string_view to_string(AlertKind kind) {
    return kAlertKinds.text(kind);
}

std::string_view to_string(AlertPhase phase) {
    return kAlertPhases.text(phase);
}

bool is_about_shop(AlertKind kind) {
    return kind == AlertKind::sold_out || kind == AlertKind::webhook_given_up ||
           kind == AlertKind::backup_old || kind == AlertKind::queue_late ||
           kind == AlertKind::ticket_parked;
}

std::string headline_of(const Alert& alert, Language language) {
    std::string line(words_for(alert, language));
    CHECK(!line.empty(), "what has happened once is never over");
    if (const auto gap = line.find(kSubjectGap); gap != line.npos)
        line.replace(gap, kSubjectGap.size(), alert.subject);
    return line;
}

std::string shortened(std::string_view utf8, std::size_t most) {
    constexpr std::string_view end = "…";
    if (utf8.size() <= most) return std::string(utf8);
    auto length = most - end.size();
    while (length > 0 && (static_cast<unsigned char>(utf8[length]) & 0xc0) == 0x80) --length;
    return std::string(utf8.substr(0, length)).append(end);
}

std::string on_one_line(std::string_view utf8) {
    std::string line(utf8);
    std::ranges::replace_if(line, is_control, ' ');
    return printable(line);
}

std::string AlertMessage::text() const {
    std::string all = headline;
    if (!alert.detail.empty()) all.append("\n").append(alert.detail);
    return all.append("\n").append(from).append(" · ").append(to_rfc3339(alert.at));
}

AlertMessage make_message(std::string id, Alert alert, std::string_view from, Language language) {
    alert.subject = shortened(on_one_line(alert.subject), AlertMessage::kLongestSubject);
    alert.detail = shortened(on_one_line(alert.detail), AlertMessage::kLongestDetail);
    AlertMessage message;
    message.id = std::move(id);
    message.headline = headline_of(alert, language);
    message.from = shortened(on_one_line(from), AlertMessage::kLongestFrom);
    message.alert = std::move(alert);
    return message;
}

}  // namespace sluice
