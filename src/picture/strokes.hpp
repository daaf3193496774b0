#pragma once

#include <span>
#include <vector>

namespace sluice {

struct Point {
    double x = 0;
    double y = 0;
};

/// A line drawn without lifting the pen, as points close enough to bend.
using Stroke = std::vector<Point>;

struct Glyph {
    double width = 0;  // its height is 1, from y = 0 at the top
    std::vector<Stroke> strokes;
};

/// The forms in which people write a digit or one of the signs + - *, the last one as ×. Strokes
/// and not a font: every point of them can be moved, and no file has to be found at run time.
std::span<const Glyph> forms_of(char symbol);

}  // namespace sluice
