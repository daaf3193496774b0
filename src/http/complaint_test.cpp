#include "http/complaint.hpp"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

std::string chinese(std::string_view complaint) {
    return complaint_in(Language::zh, complaint);
}

TEST(Complaint, stays_english_for_who_reads_that) {
    EXPECT_EQ(complaint_in(Language::en, "is missing"), "is missing");
}

TEST(Complaint, is_translated_as_a_whole) {
    EXPECT_EQ(chinese("is missing"), "不能缺少");
    EXPECT_EQ(chinese("cannot change"), "不能修改");
    EXPECT_EQ(chinese("cannot change after the start"), "开始后不能修改");
    EXPECT_EQ(chinese("cannot change after the start; use /restock"),
              "开始后不能修改；请用 /restock");
}

TEST(Complaint, keeps_its_figures) {
    EXPECT_EQ(chinese("must be from 1 to 1000"), "必须在 1 到 1000 之间");
    EXPECT_EQ(chinese("must be a whole number from 1 to 100"), "必须是 1 到 100 之间的整数");
    EXPECT_EQ(chinese("must have 8 to 128 characters"), "必须有 8 到 128 个字符");
    EXPECT_EQ(chinese("must be one of none, math, pow"), "必须是以下之一：none, math, pow");
    EXPECT_EQ(chinese("must be at most an hour of guessing.per_minute, which is 60"),
              "最多为一小时的 guessing.per_minute，即 60");
}

TEST(Complaint, without_a_translation_stays_as_it_is) {
    EXPECT_EQ(chinese("must be blue"), "must be blue");
    EXPECT_EQ(chinese("is missing something"), "is missing something");
    EXPECT_EQ(chinese("must be from 1"), "must be from 1");
    EXPECT_EQ(chinese(""), "");
}

}  // namespace
}  // namespace sluice::http
