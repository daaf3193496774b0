#include "domain/complaint.hpp"

#include <array>

#include "base/check.hpp"

namespace sluice {
namespace {

constexpr std::string_view kGap = "{}";

struct Sentence {
    Rule rule;
    std::string_view en, zh;  // with a {} for each argument, in the same order
};

constexpr auto kSentences = std::to_array<Sentence>({
    {Rule::missing, "is missing", "不能缺少"},
    {Rule::too_long, "is too long", "过长"},
    {Rule::too_large, "is too large", "过大"},
    {Rule::unknown_field, "is not a known field", "不是已知字段"},
    {Rule::unknown_parameter, "is not a known parameter", "不是已知参数"},
    {Rule::empty, "must not be empty", "不能为空"},
    {Rule::given_twice, "must be given once", "只能出现一次"},
    {Rule::body_not_object, "the body must be a JSON object", "正文必须是 JSON 对象"},
    {Rule::not_object, "must be an object", "必须是对象"},
    {Rule::not_text, "must be a string", "必须是字符串"},
    {Rule::not_texts, "must be a list of strings", "必须是字符串列表"},
    {Rule::not_id, "must be an id", "必须是编号"},
    {Rule::no_such_item, "there is no such item", "没有这件商品"},
    {Rule::not_utf8, "must be UTF-8", "必须是 UTF-8"},
    {Rule::has_nul, "must not contain NUL", "不能包含 NUL"},
    {Rule::has_control_characters, "must not contain control characters", "不能包含控制字符"},
    {Rule::not_whole_number, "must be a whole number", "必须是整数"},
    {Rule::negative, "must be a whole number, not negative", "必须是非负整数"},
    {Rule::whole_number_from_to, "must be a whole number from {} to {}",
     "必须是 {} 到 {} 之间的整数"},
    {Rule::from_to, "must be from {} to {}", "必须在 {} 到 {} 之间"},
    {Rule::from_to_or_null, "must be from {} to {}, or null", "必须在 {} 到 {} 之间，或为 null"},
    {Rule::at_least, "must be at least {}", "至少为 {}"},
    {Rule::most_bytes, "must be at most {} bytes", "最多 {} 字节"},
    {Rule::most_characters, "must have at most {} characters", "最多 {} 个字符"},
    {Rule::characters_from_to, "must have {} to {} characters", "必须有 {} 到 {} 个字符"},
    {Rule::digits_from_to, "must be {} to {} digits, with an optional + before them",
     "必须是 {} 到 {} 位数字，前面可加 +"},
    {Rule::ascii_from_to, "must be {} to {} printable ASCII characters without spaces",
     "必须是 {} 到 {} 个可打印的 ASCII 字符，不含空格"},
    {Rule::one_of, "must be one of {}", "必须是以下之一：{}"},
    {Rule::not_time, "must be an RFC 3339 time, such as {}", "必须是 RFC 3339 时间，例如 {}"},
    {Rule::not_later_than_from, "must be later than from", "必须晚于 from"},
    {Rule::not_in_future, "must be in the future", "必须在将来"},
    {Rule::not_after_start, "must be after starts_at", "必须晚于 starts_at"},
    {Rule::in_past, "must not be past; use /end to end a sale now",
     "不能是过去的时间；要立即结束请用 /end"},
    {Rule::not_cursor, "must be the next_cursor of an earlier page", "必须是前一页的 next_cursor"},
    {Rule::not_currency, "must be three capital letters, such as CNY",
     "必须是三个大写字母，例如 CNY"},
    {Rule::not_picture, "must be empty, a path that begins with /, or an http(s) URL",
     "必须为空、以 / 开头的路径或 http(s) 网址"},
    {Rule::not_pictures,
     "must be at most {} different pictures, each a path that begins with / or an http(s) URL",
     "最多 {} 张不同的图片，每张为以 / 开头的路径或 http(s) 网址"},
    {Rule::not_tags, "must be at most {} different tags of 1 to {} characters",
     "最多 {} 个不同的标签，每个 1 到 {} 个字符"},
    {Rule::not_change_of_units, "must be a number of units, more or fewer, and not 0",
     "必须是增减的件数，且不为 0"},
    {Rule::not_block_subject,
     "must be a buyer's id, an IPv4 address or network from /8 on, or an IPv6 address or network "
     "from /16 to /64",
     "必须是买家编号、IPv4 地址或 /8 起的网段，或 IPv6 地址或 /16 至 /64 的网段"},
    {Rule::not_events, "must name at least one of {}, and nothing else",
     "至少包含以下之一，且不含其他：{}"},
    {Rule::not_webhook_url,
     "must be https://host[:port]/path, at most {} printable ASCII characters, without a user "
     "name, password or fragment",
     "必须是 https://主机[:端口]/路径，最多 {} 个可打印的 ASCII 字符，不含用户名、密码和片段"},
    {Rule::private_address,
     "must not lead to a private address, unless webhooks.allow_private names its network",
     "不能指向内网地址，除非 webhooks.allow_private 列出了该网段"},
    {Rule::insecure_address,
     "must begin with https://; without it only networks that webhooks.allow_private names are "
     "reached",
     "必须以 https:// 开头；否则只能访问 webhooks.allow_private 列出的网段"},
    {Rule::burst_too_large, "must be at most an hour of {}, which is {}",
     "最多为一小时的 {}，即 {}"},
    {Rule::fixed, "cannot change", "不能修改"},
    {Rule::fixed_after_start, "cannot change after the start", "开始后不能修改"},
    {Rule::stock_after_start, "cannot change after the start; use /restock",
     "开始后不能修改；请用 /restock"},
    {Rule::currency_on_sale, "cannot change once the item has been put on sale",
     "商品已参加活动，不能修改"},
    {Rule::only_raised, "can only be raised after the start", "开始后只能调高"},
    {Rule::common_password, "is one of those that are guessed first: choose another",
     "过于常见，容易被猜到：请换一个"},
    {Rule::password_is_phone, "must not be the phone", "不能是手机号"},
    {Rule::wrong_password, "is wrong", "不正确"},
    {Rule::wrong_code, "is wrong, has expired or was used before: ask for a new one",
     "不正确、已过期或已使用：请重新获取"},
    {Rule::fits_too_many_buyers, "fits more than {} buyers: write more of the name, or the phone",
     "符合的买家超过 {} 人：请输入更完整的姓名，或用手机号查找"},
    {Rule::no_codes_to_country, "is of a country to which this shop sends no codes",
     "属于本店不发送验证码的国家或地区"},
    {Rule::only_for_listed_first, "is only for the audience listed_first",
     "仅适用于 audience 为 listed_first 的活动"},
    {Rule::not_within_sale, "must be after starts_at and before ends_at",
     "必须晚于 starts_at 且早于 ends_at"},
    {Rule::only_opened, "after the start a sale can only be opened to more people, or sooner",
     "活动开始后只能扩大开放范围或提前开放"},
    {Rule::not_one_column, "must have one column, of phones or of ids",
     "只能有一列：手机号或用户编号"},
    {Rule::not_phone_or_id, "is neither a phone nor the id of a user",
     "既不是手机号，也不是用户编号"},
    {Rule::bad_csv, "has quotes that do not fit together", "引号不匹配"},
    {Rule::list_empty, "has no phones and no ids; use DELETE to clear the list",
     "没有手机号或用户编号；清空名单请用 DELETE"},
    {Rule::plain_at_most, "must have at most {} letters (A to Z), digits, blanks and - . / _",
     "最多 {} 个字符，只能是字母（A–Z）、数字、空格和 - . / _"},
    {Rule::nothing_delivered, "must be empty while nothing is being delivered",
     "尚未安排配送时必须为空"},
    {Rule::not_asked_for, "is not asked for by this shop", "本店不收集此项"},
    {Rule::picture_unknown, "is neither a JPEG nor a PNG picture", "不是 JPEG 或 PNG 图片"},
    {Rule::picture_of_other_type, "is {}, and Content-Type says otherwise",
     "实际格式为 {}，与 Content-Type 不符"},
    {Rule::picture_too_large,
     "has {} × {} pixels: at most {} on a side and {} million in all are taken",
     "为 {} × {} 像素：单边最多 {} 像素，总计最多 {} 百万像素"},
    {Rule::picture_broken, "cannot be read: the file is damaged or cut off",
     "无法读取：文件已损坏或不完整"},
    {Rule::picture_colours,
     "has colours for printing, or is a rare kind of JPEG: save it as an RGB picture",
     "采用印刷色彩或罕见的 JPEG 格式：请另存为 RGB 图片"},
    {Rule::picture_too_complex,
     "takes more work to read than is allowed: save it as a plain JPEG or PNG",
     "读取所需的资源超出限制：请另存为普通的 JPEG 或 PNG"},
});

consteval std::size_t count_gaps(std::string_view sentence) {
    std::size_t gaps = 0;
    for (auto at = sentence.find(kGap); at != sentence.npos; at = sentence.find(kGap, at + 1))
        ++gaps;
    return gaps;
}

consteval bool is_complete() {
    if (kSentences.size() != kRules) return false;
    for (std::size_t i = 0; i < kRules; ++i) {
        const auto& [rule, en, zh] = kSentences[i];
        if (static_cast<std::size_t>(rule) != i || en.empty() || zh.empty()) return false;
        if (count_gaps(en) != count_gaps(zh)) return false;
    }
    return true;
}
static_assert(is_complete(), "every rule has its sentence, in order and in both languages");

}  // namespace

std::string text_of(const Complaint& complaint, Language language) {
    const auto& entry = kSentences[static_cast<std::size_t>(complaint.rule)];
    auto sentence = language == Language::zh ? entry.zh : entry.en;
    std::string text;
    for (const auto& argument : complaint.arguments) {
        const auto gap = sentence.find(kGap);
        CHECK(gap != sentence.npos, "a sentence has a gap for each argument");
        text.append(sentence.substr(0, gap)).append(argument);
        sentence.remove_prefix(gap + kGap.size());
    }
    CHECK(sentence.find(kGap) == sentence.npos, "every gap has its argument");
    return text.append(sentence);
}

}  // namespace sluice
