#include "api/wordings.hpp"

#include <set>

#include <gtest/gtest.h>

namespace sluice::api {
namespace {

bool is_ascii(std::string_view text) {
    return text.find_first_not_of(
               " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]_"
               "abcdefghijklmnopqrstuvwxyz") == text.npos;
}

template <class Key>
void expect_both_languages(std::size_t keys) {
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < keys; ++i) {
        const auto english = wording_of(static_cast<Key>(i), http::Language::en);
        const auto chinese = wording_of(static_cast<Key>(i), http::Language::zh);
        if (english.empty()) continue;
        EXPECT_TRUE(is_ascii(english)) << english;
        EXPECT_FALSE(is_ascii(chinese)) << chinese;
        EXPECT_TRUE(seen.insert(english).second) << english << " is said twice";
    }
}

TEST(Wordings, AreInBothLanguagesAndEachIsSaidOnce) {
    expect_both_languages<Remark>(kRemarks);
    expect_both_languages<Detail>(static_cast<std::size_t>(Detail::network_full) + 1);
}

TEST(Wordings, TheCodeAloneSaysThatAnOutcomeIsUnknown) {
    EXPECT_EQ(wording_of(Detail::outcome_unknown, http::Language::en), "");
    EXPECT_NE(wording_of(Remark::bad_signature, http::Language::en), "");
}

}  // namespace
}  // namespace sluice::api
