#include "picture/formula_picture.hpp"

#include <set>

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(FormulaPicture, IsASmallPng) {
    for (const auto* text : {"2*2+1", "20-9*2", "19+9*4", "0123456789+-*"}) {
        const auto png = draw_formula(text, 1);
        EXPECT_TRUE(png.starts_with("\x89PNG\r\n\x1a\n"));
        EXPECT_EQ(png.substr(16, 8), (std::string{0, 0, 1, 64, 0, 0, 0, 100})) << "its size";
        EXPECT_LT(png.size(), 8'000u);
    }
}

TEST(FormulaPicture, IsNeverTheSameTwice) {
    std::set<std::string> pictures;
    for (std::uint64_t seed = 0; seed < 500; ++seed) pictures.insert(draw_formula("7+3*2", seed));
    EXPECT_EQ(pictures.size(), 500u);
}

TEST(FormulaPicture, ComesOfTheSeedAlone) {
    EXPECT_EQ(draw_formula("7+3*2", 9), draw_formula("7+3*2", 9));
    EXPECT_NE(draw_formula("7+3*2", 9), draw_formula("7+3*3", 9));
}

}  // namespace
}  // namespace sluice
