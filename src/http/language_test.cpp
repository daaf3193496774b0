#include "http/language.hpp"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

TEST(Language, FollowsTheHeader) {
    const struct {
        const char* header;
        Language expected;
    } rows[] = {
        {"", Language::en},
        {"zh", Language::zh},
        {"zh-CN,zh;q=0.9,en;q=0.8", Language::zh},
        {"en-US,en;q=0.9,zh-CN;q=0.8", Language::en},
        {"en;q=0.1, ZH-hant;q=0.2", Language::zh},
        {"fr, *;q=0.1", Language::en},
        {"zh;q=nonsense", Language::en},
        {"zhx, de", Language::en},
        {",,;q=,", Language::en},
    };
    for (const auto& row : rows)
        EXPECT_EQ(preferred_language(row.header), row.expected) << row.header;
}

}  // namespace
}  // namespace sluice::http
