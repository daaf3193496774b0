#include "picture/raster.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

int ink_of(const Raster& raster) {
    int sum = 0;
    for (const auto pixel : raster.ink()) sum += pixel;
    return sum / 255;
}

TEST(Raster, DrawsWithARoundPen) {
    Raster raster(40, 20);
    raster.draw({{10, 10}, {30, 10}}, 6);
    EXPECT_EQ(raster.at(20, 10), 255);
    EXPECT_EQ(raster.at(20, 7), 255);
    EXPECT_EQ(raster.at(20, 5), 0);
    EXPECT_EQ(raster.at(8, 10), 255) << "the end is round";
    EXPECT_EQ(raster.at(6, 10), 0);
    EXPECT_NEAR(ink_of(raster), 20 * 6 + 28, 4) << "a line and a disc";
    raster.clear();
    EXPECT_EQ(ink_of(raster), 0);
}

TEST(Raster, DrawsADotAndALineOfManyShortPieces) {
    Raster dot(20, 20);
    dot.draw({{10, 10}}, 8);
    EXPECT_NEAR(ink_of(dot), 50, 3);
    Raster whole(40, 20), pieces(40, 20);
    whole.draw({{5, 8.5}, {35, 8.5}}, 5);
    Stroke steps;
    for (double x = 5; x <= 35; x += 0.5) steps.push_back({x, 8.5});
    pieces.draw(steps, 5);
    EXPECT_NEAR(ink_of(pieces), ink_of(whole), 2);
    Raster empty(20, 20);
    empty.draw({}, 8);
    EXPECT_EQ(ink_of(empty), 0);
}

TEST(Raster, LeavesOutWhatLiesOutside) {
    Raster raster(20, 20);
    raster.draw({{-30, -30}, {50, 50}}, 4);
    raster.draw({{100, 100}, {200, 100}}, 4);
    EXPECT_EQ(raster.at(0, 0), 255);
    EXPECT_EQ(raster.at(19, 19), 255);
    EXPECT_EQ(raster.at(19, 0), 0);
}

TEST(Raster, InkUponInkIsGround) {
    Raster picture(20, 20), layer(20, 20);
    layer.draw({{10, 0}, {10, 20}}, 4);
    picture.invert(layer);
    EXPECT_EQ(picture.at(10, 10), 255);
    layer.clear();
    layer.draw({{0, 10}, {20, 10}}, 4);
    picture.invert(layer);
    EXPECT_EQ(picture.at(10, 10), 0);
    EXPECT_EQ(picture.at(10, 2), 255);
    EXPECT_EQ(picture.at(2, 10), 255);
    EXPECT_EQ(picture.at(2, 2), 0);
}

TEST(Raster, InvertsBelowABorder) {
    Raster picture(4, 10);
    picture.invert_below(std::vector<double>{-5, 2.5, 10, 99});
    for (int y = 0; y < 10; ++y) {
        EXPECT_EQ(picture.at(0, y), 255) << "the border is above the picture";
        EXPECT_EQ(picture.at(1, y), y < 2 ? 0 : y == 2 ? 127 : 255);
        EXPECT_EQ(picture.at(2, y), 0);
        EXPECT_EQ(picture.at(3, y), 0);
    }
    picture.invert_below(std::vector<double>{0, 0, 0, 0});
    EXPECT_EQ(picture.at(0, 5), 0);
    EXPECT_EQ(picture.at(3, 5), 255);
}

}  // namespace
}  // namespace sluice
