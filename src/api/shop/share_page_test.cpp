#include "api/shop/share_page.hpp"

#include <gtest/gtest.h>

namespace sluice::api {
namespace {

TEST(SharePage, TextCannotLeaveItsPlace) {
    EXPECT_EQ(html_escaped("Tea & <b>\"set\"</b> o'clock"),
              "Tea &amp; &lt;b&gt;&quot;set&quot;&lt;/b&gt; o&#39;clock");
    EXPECT_EQ(html_escaped("青瓷茶具"), "青瓷茶具");
}

TEST(SharePage, ADescriptionIsOneLineOfWholeCharacters) {
    EXPECT_EQ(shorten("Six cups,\none pot", 100), "Six cups, one pot");
    EXPECT_EQ(shorten("abcdef", 3), "abc");
    // Three bytes each.
    EXPECT_EQ(shorten("青瓷茶", 9), "青瓷茶");
    EXPECT_EQ(shorten("青瓷茶", 8), "青瓷");
    EXPECT_EQ(shorten("青瓷茶", 7), "青瓷");
    EXPECT_EQ(shorten("青瓷茶", 6), "青瓷");
    EXPECT_EQ(shorten("青", 2), "");
    EXPECT_EQ(shorten("", 2), "");
}

}  // namespace
}  // namespace sluice::api
