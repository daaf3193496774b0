#pragma once

#include <span>
#include <vector>

namespace sluice {

struct Point {
    double x = 0;
    double y = 0;
};

/// A line that is drawn without lifting the pen, with points close enough for bending it.
using Stroke = std::vector<Point>;

struct Glyph {
    double width = 0;  // its height is 1, from y = 0 at the top
    std::vector<Stroke> strokes;
};

/// The forms in which people write a digit or one of the signs + - *, the last one as ×. Strokes
/// are used instead of a font: each of their points can be moved, and no file is needed at run
/// time.
std::span<const Glyph> forms_of(char symbol);

}  // namespace sluice
