#pragma once

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

/// Digits and the signs + - *, the last one as ×. Strokes and not a font: every point of them can
/// be moved, and no file has to be found at run time.
const Glyph& glyph_of(char symbol);

}  // namespace sluice
