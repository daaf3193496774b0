#include "domain/session_token.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

const SessionTokens kTokens{SessionTokens::MasterKey{1, 2, 3}};
constexpr std::array<unsigned char, 32> kSecret{9, 8, 7};

TEST(SessionToken, IsRecognisedByWhoMadeIt) {
    const auto token = kTokens.make(kSecret);
    const auto name = kTokens.recognise(token.text);
    ASSERT_TRUE(name);
    EXPECT_EQ(name->key, token.name.key);
    EXPECT_EQ(name->handle, token.name.handle);
    EXPECT_EQ(name->handle, kTokens.handle_of(token.text));
    EXPECT_FALSE(SessionTokens{SessionTokens::MasterKey{1}}.recognise(token.text));
}

TEST(SessionToken, NoChangedLetterPasses) {
    const auto token = kTokens.make(kSecret).text;
    for (std::size_t i = 0; i < token.size(); ++i) {
        auto forged = token;
        forged[i] = forged[i] == 'A' ? 'B' : 'A';
        EXPECT_FALSE(kTokens.recognise(forged)) << i;
    }
    EXPECT_FALSE(kTokens.recognise(""));
    EXPECT_FALSE(kTokens.recognise(token.substr(1)));
    EXPECT_FALSE(kTokens.recognise(token + "A"));
}

TEST(SessionToken, EveryTextHasAHandleOfItsOwn) {
    const auto token = kTokens.make(kSecret).text;
    EXPECT_NE(kTokens.handle_of(token), kTokens.handle_of(token.substr(1)));
    EXPECT_NE(kTokens.handle_of(token), kTokens.handle_of(""));
    EXPECT_NE(kTokens.handle_of(token),
              SessionTokens{SessionTokens::MasterKey{1}}.handle_of(token));
}

TEST(SessionToken, IsNotStored) {
    const auto token = kTokens.make(kSecret);
    const std::string key(token.name.key.begin(), token.name.key.end());
    EXPECT_EQ(key.find(std::string(kSecret.begin(), kSecret.end())), key.npos);
}

}  // namespace
}  // namespace sluice
