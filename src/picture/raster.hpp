#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "picture/strokes.hpp"

namespace sluice {

/// Stores for each pixel how much of it is ink, from 0 to 255. Edges are smooth. What lies outside
/// is not drawn.
class Raster {
  public:
    Raster(int width, int height);

    std::uint8_t at(int x, int y) const { return ink_[index(x, y)]; }
    std::span<const std::uint8_t> ink() const { return ink_; }

    /// With a round pen.
    void draw(const Stroke& stroke, double thickness);

    /// Where both have ink there is ground; where one has ink there is ink. Only the part that
    /// `other` has drawn is visited, so a small drawing costs little. `other` has the same size.
    void invert(const Raster& other);

    /// Exchanges ink and ground below a border, which has a height for each column.
    void invert_below(std::span<const double> border);

    /// Removes all ink; the cost depends on how much was drawn.
    void clear();

  private:
    struct Box {
        int left, top, right, bottom;  // without right and bottom
    };

    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
               static_cast<std::size_t>(x);
    }
    Box around(Point a, Point b, double reach) const;
    void draw_piece(Point a, Point b, double radius);

    int width_;
    int height_;
    std::vector<std::uint8_t> ink_;
    Box drawn_;
};

}  // namespace sluice
