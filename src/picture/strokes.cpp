#include "picture/strokes.hpp"

#include <array>
#include <cmath>
#include <initializer_list>
#include <numbers>

#include "base/check.hpp"

namespace sluice {
namespace {

constexpr int kPieces = 6;  // for a line, and for a quarter of an arc

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

using Forms = std::vector<Glyph>;

/// Zero to four.
std::array<Forms, 5> low_digits() {
    return {{
        {{.6, {arc({.3, .5}, .3, .5, 0, 360)}},
         {.56,
          {joined({arc({.28, .26}, .28, .26, -180, 0), arc({.28, .74}, .28, .26, 0, 180),
                   line({{0, .74}, {0, .26}})})}}},
        {{.5, {line({{.05, .25}, {.28, 0}, {.28, 1}}), line({{.05, 1}, {.5, 1}})}},
         {.4, {line({{0, .3}, {.34, 0}, {.34, 1}})}}},
        {{.6, {joined({arc({.3, .3}, .28, .3, -170, 30), line({{.54, .45}, {.02, 1}, {.6, 1}})})}},
         {.6,
          {joined({arc({.3, .27}, .28, .27, -160, 60), arc({.5, .95}, .5, .44, -120, -174),
                   line({{.02, .96}, {.6, .96}})})}}},
        {{.6, {joined({arc({.28, .25}, .27, .25, -160, 90), arc({.28, .75}, .32, .25, -90, 160)})}},
         {.6,
          {joined({line({{.06, 0}, {.56, 0}, {.26, .4}}), arc({.27, .7}, .32, .3, -80, 155)})}}},
        {{.65, {line({{.45, 1}, {.45, 0}, {0, .68}, {.65, .68}})}},
         {.64, {line({{.14, 0}, {.02, .6}, {.64, .6}}), line({{.47, .28}, {.47, 1}})}}},
    }};
}

/// Five to nine.
std::array<Forms, 5> high_digits() {
    return {{
        {{.6,
          {joined({line({{.55, 0}, {.1, 0}, {.06, .45}}), arc({.28, .68}, .31, .32, -135, 145)})}},
         {.6,
          {joined({line({{.58, 0}, {.1, 0}, {.1, .42}, {.26, .4}}),
                   arc({.28, .7}, .32, .3, -90, 150)})}}},
        {{.6,
          {joined({arc({.62, .66}, .6, .66, -92, -180), arc({.31, .68}, .29, .32, 180, -180)})}},
         {.6, {joined({line({{.46, 0}, {.07, .54}}), arc({.31, .7}, .29, .3, 215, -145)})}}},
        {{.6, {line({{.02, 0}, {.6, 0}, {.2, 1}})}},
         {.58,
          {joined({line({{.04, .16}, {.04, 0}, {.58, 0}}), arc({.9, 1}, .68, .8, -118, -180)})}}},
        {{.6, {arc({.3, .24}, .25, .24, 90, 450), arc({.3, .74}, .3, .26, -90, 270)}},
         {.6,
          {joined({arc({.3, .23}, .26, .23, 30, -210), line({{.08, .34}, {.52, .62}}),
                   arc({.3, .76}, .28, .24, -30, 210), line({{.06, .64}, {.52, .34}})})}}},
        {{.6, {joined({arc({.29, .32}, .29, .32, 0, 360), arc({-.02, .34}, .6, .66, 0, 88)})}},
         {.58, {joined({arc({.29, .3}, .29, .3, 0, 360), line({{.58, .3}, {.54, 1}})})}}},
    }};
}

}  // namespace

std::span<const Glyph> forms_of(char symbol) {
    static const auto low = low_digits(), high = high_digits();
    static const Forms plus{{.6, {line({{.3, .2}, {.3, .8}}), line({{0, .5}, {.6, .5}})}}};
    static const Forms minus{{.6, {line({{0, .5}, {.6, .5}})}}};
    static const Forms times{{.5, {line({{0, .25}, {.5, .75}}), line({{.5, .25}, {0, .75}})}}};
    if (symbol == '+') return plus;
    if (symbol == '-') return minus;
    if (symbol == '*') return times;
    CHECK(symbol >= '0' && symbol <= '9', "only formulas are drawn");
    const auto digit = static_cast<std::size_t>(symbol - '0');
    return digit < low.size() ? low[digit] : high[digit - low.size()];
}

}  // namespace sluice
