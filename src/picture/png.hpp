#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace sluice {

struct Rgb {
    std::uint8_t red = 0;
    std::uint8_t green = 0;
    std::uint8_t blue = 0;
};

/// Sixteen colours, so that two pixels fit into a byte.
using Palette = std::array<Rgb, 16>;

/// A PNG with a palette. `pixels` are indices into it, row by row; the width is even.
std::string to_png(int width, int height, std::span<const std::uint8_t> pixels,
                   const Palette& palette);

}  // namespace sluice
