#include "domain/picture.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

const std::string kHex = "0a" + std::string(60, '0') + "ff";

TEST(Picture, AnExtentHasBounds) {
    EXPECT_FALSE(check_picture_extent(1, 1));
    EXPECT_FALSE(check_picture_extent(16'384, 1));
    EXPECT_FALSE(check_picture_extent(8'000, 4'000));
    EXPECT_TRUE(check_picture_extent(16'385, 1));
    EXPECT_TRUE(check_picture_extent(1, 16'385));
    EXPECT_TRUE(check_picture_extent(8'000, 4'001));
    EXPECT_TRUE(check_picture_extent(0xffff'ffff, 0xffff'ffff));
    EXPECT_EQ(text_of(*check_picture_extent(30'000, 20'000)),
              "has 30000 × 20000 pixels: at most 16384 on a side and 32 million in all are taken");
}

TEST(Picture, AnAddressHasOneSpelling) {
    const auto name = parse_picture_address("/pictures/" + kHex + "/640.jpg");
    ASSERT_TRUE(name);
    EXPECT_EQ(name->width, 640);
    EXPECT_EQ(name->hash.front(), 0x0a);
    EXPECT_EQ(address_of(*name), "/pictures/" + kHex + "/640.jpg");
    for (const auto& other :
         {"/pictures/" + kHex + "/0640.jpg", "/pictures/" + kHex + "/640.png",
          "/pictures/" + kHex + "/640", "/pictures/" + kHex + "/.jpg",
          "/pictures/" + kHex + "/1281.jpg", "/pictures/" + kHex + "/0.jpg",
          "/pictures/" + kHex + "/-1.jpg", "/pictures/" + kHex + "/640.jpg?a",
          "/pictures/" + kHex + "/640.jpg/", "/pictures/" + kHex, "/pictures/" + kHex + "0/640.jpg",
          "/pictures/0A" + kHex.substr(2) + "/640.jpg", std::string("/pictures//640.jpg"),
          "https://shop.example/pictures/" + kHex + "/640.jpg", std::string()})
        EXPECT_FALSE(parse_picture_address(other)) << other;
}

TEST(Picture, ItsHashIsThatOfTheFile) {
    EXPECT_EQ(address_of({hash_picture("foo"), 1}),
              "/pictures/2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae/1.jpg");
}

TEST(Picture, ItemsShowEachPictureOnce) {
    const auto first = "/pictures/" + kHex + "/640.jpg";
    const auto same = "/pictures/" + kHex + "/320.jpg";
    const auto other = "/pictures/" + std::string(64, '1') + "/9.jpg";
    EXPECT_EQ(pictures_shown("", {}), std::vector<PictureHash>{});
    EXPECT_EQ(pictures_shown("https://x/a.png", {"/a.png"}), std::vector<PictureHash>{});
    const auto shown = pictures_shown(first, {"/a.png", other, same});
    ASSERT_EQ(shown.size(), 2U);
    EXPECT_EQ(shown[0], parse_picture_address(first)->hash);
    EXPECT_EQ(shown[1], parse_picture_address(other)->hash);
}

}  // namespace
}  // namespace sluice
