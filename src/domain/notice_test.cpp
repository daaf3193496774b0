#include "domain/notice.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace sluice {
namespace {

Notice example(NoticeRule rule) {
    Notice notice{rule};
    for (std::size_t i = 0; i < count_arguments(rule); ++i)
        notice.arguments.push_back("<" + std::to_string(i) + ">");
    return notice;
}

bool has_chinese(std::string_view text) {
    return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

TEST(Notice, HasASentenceOfItsOwnLanguageForEachRule) {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < kNoticeRules; ++i) {
        const auto rule = static_cast<NoticeRule>(i);
        const auto notice = example(rule);
        const auto en = text_of(notice), zh = text_of(notice, Language::zh);
        EXPECT_FALSE(has_chinese(en)) << en;
        EXPECT_TRUE(has_chinese(zh)) << zh;
        for (const auto& argument : notice.arguments) {
            EXPECT_NE(en.find(argument), en.npos) << en;
            EXPECT_NE(zh.find(argument), zh.npos) << zh;
        }
        EXPECT_TRUE(names.insert(name_of(rule)).second) << name_of(rule);
        EXPECT_EQ(parse_notice_rule(name_of(rule)), rule);
    }
    EXPECT_EQ(parse_notice_rule("of_nothing"), std::nullopt);
}

TEST(Notice, IntroducesWhatItIsAbout) {
    const std::vector<Notice> notices{
        {NoticeRule::copy_agreed, "noon"},
        Notice{NoticeRule::copy_refilled, "one"}.with(
            {{NoticeRule::left_differs, 5, 4}, {NoticeRule::and_more, 2}})};
    EXPECT_EQ(text_of(notices),
              "it agreed with the ledger at noon; filled anew after a drift, seen at one: left is "
              "5, in the ledger 4; and 2 more");
    EXPECT_EQ(
        text_of(notices, Language::zh),
        "在 noon 与账本一致；曾有偏差，已重新填充，发现于 one：剩余为 5，账本中为 4；另有 2 项");
    EXPECT_EQ(text_of(std::vector<Notice>{}), "");
}

}  // namespace
}  // namespace sluice
