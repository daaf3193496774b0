#include "domain/device_token.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

const DeviceTokens tokens{DeviceTokens::Key{7}};
constexpr DeviceId kDevice{1, 2, 3};
constexpr auto kPhone = "+8613712345678";

TEST(DeviceToken, IsKnownForItsPhoneOnly) {
    const auto text = tokens.make(kDevice, kPhone);
    EXPECT_EQ(text.size(), 44u);
    EXPECT_EQ(tokens.recognise(text, kPhone), kDevice);
    EXPECT_FALSE(tokens.recognise(text, "+8613712345679"));
    EXPECT_FALSE(tokens.recognise(text, ""));
    EXPECT_FALSE(DeviceTokens(DeviceTokens::Key{8}).recognise(text, kPhone));
}

TEST(DeviceToken, IsNothingElse) {
    auto text = tokens.make(kDevice, kPhone);
    for (const auto& other : {std::string(), text + "A", text.substr(1), std::string(44, 'A'),
                              std::string(44, '='), std::string(44, '\0')})
        EXPECT_FALSE(tokens.recognise(other, kPhone)) << other;
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto changed = text;
        changed[i] = changed[i] == 'A' ? 'B' : 'A';
        EXPECT_FALSE(tokens.recognise(changed, kPhone)) << i;
    }
    EXPECT_FALSE(tokens.recognise(text, std::string(33, '1')));
}

}  // namespace
}  // namespace sluice
