#include "picture/strokes.hpp"

#include <array>
#include <cmath>
#include <initializer_list>
#include <numbers>

#include "base/check.hpp"

namespace sluice {
namespace {

constexpr int kPieces = 12;  // of a line, and of a quarter of an arc

Stroke line(std::initializer_list<Point> corners) {
    Stroke points{*corners.begin()};
    for (const auto& to : corners) {
        const Point from = points.back();
        for (int i = 1; i <= kPieces; ++i) {
            const double part = static_cast<double>(i) / kPieces;
            points.push_back({from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part});
        }
    }
    return points;
}

/// From one angle to another, in degrees: 0 is right, 90 down.
Stroke arc(Point centre, double radius_x, double radius_y, double from, double to) {
    const int pieces = static_cast<int>(std::ceil(std::abs(to - from) / 90)) * kPieces;
    Stroke points;
    for (int i = 0; i <= pieces; ++i) {
        const double angle = (from + (to - from) * i / pieces) * std::numbers::pi / 180;
        points.push_back(
            {centre.x + radius_x * std::cos(angle), centre.y + radius_y * std::sin(angle)});
    }
    return points;
}

Stroke joined(std::initializer_list<Stroke> parts) {
    Stroke whole;
    for (const auto& part : parts) whole.insert(whole.end(), part.begin(), part.end());
    return whole;
}

const std::array<Glyph, 10>& digits() {
    static const std::array<Glyph, 10> all{{
        {.6, {arc({.3, .5}, .3, .5, 0, 360)}},
        {.5, {line({{.05, .25}, {.28, 0}, {.28, 1}}), line({{.05, 1}, {.5, 1}})}},
        {.6, {joined({arc({.3, .3}, .28, .3, -170, 30), line({{.54, .45}, {.02, 1}, {.6, 1}})})}},
        {.6, {joined({arc({.28, .25}, .27, .25, -160, 90), arc({.28, .75}, .32, .25, -90, 160)})}},
        {.65, {line({{.45, 1}, {.45, 0}, {0, .68}, {.65, .68}})}},
        {.6,
         {joined({line({{.55, 0}, {.1, 0}, {.06, .45}}), arc({.28, .68}, .31, .32, -135, 145)})}},
        {.6, {joined({arc({.62, .66}, .6, .66, -92, -180), arc({.31, .68}, .29, .32, 180, -180)})}},
        {.6, {line({{.02, 0}, {.6, 0}, {.2, 1}})}},
        {.6, {arc({.3, .24}, .25, .24, 90, 450), arc({.3, .74}, .3, .26, -90, 270)}},
        {.6, {joined({arc({.29, .32}, .29, .32, 0, 360), arc({-.02, .34}, .6, .66, 0, 88)})}},
    }};
    return all;
}

}  // namespace

const Glyph& glyph_of(char symbol) {
    static const Glyph plus{.6, {line({{.3, .22}, {.3, .82}}), line({{0, .52}, {.6, .52}})}};
    static const Glyph minus{.6, {line({{0, .52}, {.6, .52}})}};
    static const Glyph times{.5, {line({{0, .27}, {.5, .77}}), line({{.5, .27}, {0, .77}})}};
    if (symbol == '+') return plus;
    if (symbol == '-') return minus;
    if (symbol == '*') return times;
    CHECK(symbol >= '0' && symbol <= '9', "only formulas are drawn");
    return digits()[static_cast<std::size_t>(symbol - '0')];
}

}  // namespace sluice
