#include "http/complaint.hpp"

#include <array>
#include <optional>
#include <vector>

namespace sluice::http {
namespace {

constexpr std::string_view kGap = "{}";

/// With a {} for each part that differs, in the same order in both languages.
struct Translation {
    std::string_view en, zh;
};

constexpr auto kTranslations = std::to_array<Translation>({
    {"is missing", "不能缺少"},
    {"is needed", "不能缺少"},
    {"is too long", "过长"},
    {"is too large", "过大"},
    {"is not a known field", "不是已知字段"},
    {"is not a known parameter", "不是已知参数"},
    {"must not be empty", "不能为空"},
    {"must be given once", "只能出现一次"},
    {"the body must be a JSON object", "正文必须是 JSON 对象"},
    {"must be an object", "必须是对象"},
    {"must be a string", "必须是字符串"},
    {"must be an id", "必须是编号"},
    {"must not contain NUL", "不能包含 NUL"},
    {"must not contain control characters", "不能包含控制字符"},
    {"must be a whole number", "必须是整数"},
    {"must be a whole number, not negative", "必须是非负整数"},
    {"must be a whole number from {} to {}", "必须是 {} 到 {} 之间的整数"},
    {"must be from {} to {}", "必须在 {} 到 {} 之间"},
    {"must be at least {}", "至少为 {}"},
    {"must be at most {} bytes", "最多 {} 字节"},
    {"must have at most {} characters", "最多 {} 个字符"},
    {"must have {} to {} characters", "必须有 {} 到 {} 个字符"},
    {"must be {} to {} digits, with an optional + before them",
     "必须是 {} 到 {} 位数字，前面可加 +"},
    {"must be {} to {} printable ASCII characters without spaces",
     "必须是 {} 到 {} 个可打印的 ASCII 字符，不含空格"},
    {"must be one of {}", "必须是以下之一：{}"},
    {"must be second or minute", "必须是 second 或 minute"},
    {"must be an RFC 3339 time, such as {}", "必须是 RFC 3339 时间，例如 {}"},
    {"must be a time such as {}", "必须是时间，例如 {}"},
    {"must be later than from", "必须晚于 from"},
    {"must be in the future", "必须在将来"},
    {"must be after starts_at", "必须晚于 starts_at"},
    {"must not be past; use /end to end a sale now", "不能是过去的时间；要立即结束请用 /end"},
    {"must be the next_cursor of an earlier page", "必须是前一页的 next_cursor"},
    {"must be three capital letters, such as CNY", "必须是三个大写字母，例如 CNY"},
    {"must be empty, a path that begins with /, or an http(s) URL",
     "必须为空、以 / 开头的路径或 http(s) 网址"},
    {"must be a number of units, more or fewer, and not 0", "必须是增减的件数，且不为 0"},
    {"must be a buyer's id, an IPv4 address or network from /8 on, or an IPv6 address or network "
     "from /16 to /64",
     "必须是买家编号、IPv4 地址或 /8 起的网段，或 IPv6 地址或 /16 至 /64 的网段"},
    {"must be a list of strings", "必须是字符串列表"},
    {"must name at least one of {}, and nothing else", "至少包含以下之一，且不含其他：{}"},
    {"must be https://host[:port]/path, at most {} printable ASCII characters, without a user "
     "name, password or fragment",
     "必须是 https://主机[:端口]/路径，最多 {} 个可打印的 ASCII 字符，不含用户名、密码和片段"},
    {"must not lead to a private address, unless webhooks.allow_private names its network",
     "不能指向内网地址，除非 webhooks.allow_private 列出了该网段"},
    {"must begin with https://; without it only networks that webhooks.allow_private names are "
     "reached",
     "必须以 https:// 开头；否则只能访问 webhooks.allow_private 列出的网段"},
    {"must be at most an hour of {}, which is {}", "最多为一小时的 {}，即 {}"},
    {"cannot change", "不能修改"},
    {"cannot change after the start", "开始后不能修改"},
    {"cannot change after the start; use /restock", "开始后不能修改；请用 /restock"},
    {"cannot change once the item has been put on sale", "商品已参加活动，不能修改"},
    {"can only be raised after the start", "开始后只能调高"},
});

/// What stands in the gaps, when the text is this sentence.
std::optional<std::vector<std::string_view>> fit(std::string_view sentence, std::string_view text) {
    std::vector<std::string_view> parts;
    for (;;) {
        const auto gap = sentence.find(kGap);
        const auto fixed = sentence.substr(0, gap);
        if (!text.starts_with(fixed)) return std::nullopt;
        text.remove_prefix(fixed.size());
        if (gap == sentence.npos) break;
        sentence.remove_prefix(gap + kGap.size());
        const auto next = sentence.substr(0, sentence.find(kGap));
        const auto end = next.empty() ? text.size() : text.find(next);
        if (end == text.npos) return std::nullopt;
        parts.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    if (!text.empty()) return std::nullopt;
    return parts;
}

std::string fill(std::string_view sentence, const std::vector<std::string_view>& parts) {
    std::string filled;
    for (const auto part : parts) {
        const auto gap = sentence.find(kGap);
        filled.append(sentence.substr(0, gap)).append(part);
        sentence.remove_prefix(gap + kGap.size());
    }
    return filled.append(sentence);
}

}  // namespace

std::string complaint_in(Language language, std::string_view complaint) {
    if (language == Language::zh)
        for (const auto& [en, zh] : kTranslations)
            if (const auto parts = fit(en, complaint)) return fill(zh, *parts);
    return std::string(complaint);
}

}  // namespace sluice::http
