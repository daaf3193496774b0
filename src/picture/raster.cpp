#include "picture/raster.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"

namespace sluice {

Raster::Raster(int width, int height)
    : width_(width),
      height_(height),
      ink_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)),
      drawn_{width, height, 0, 0} {}

void Raster::draw(const Stroke& stroke, double thickness) {
    if (stroke.empty()) return;
    // Shorter pieces cost as much as long ones and are not visible.
    constexpr double shortest = 3;
    Point from = stroke.front();
    for (std::size_t i = 1; i < stroke.size(); ++i) {
        const Point to = stroke[i];
        const bool last = i + 1 == stroke.size();
        if (!last && std::hypot(to.x - from.x, to.y - from.y) < shortest) continue;
        draw_piece(from, to, thickness / 2);
        from = to;
    }
    if (stroke.size() == 1) draw_piece(from, from, thickness / 2);
}

Raster::Box Raster::around(Point a, Point b, double reach) const {
    const auto low = [&](double p, double q, int most) {
        return std::clamp(static_cast<int>(std::floor(std::min(p, q) - reach)), 0, most);
    };
    const auto high = [&](double p, double q, int most) {
        return std::clamp(static_cast<int>(std::ceil(std::max(p, q) + reach)), 0, most);
    };
    return {low(a.x, b.x, width_), low(a.y, b.y, height_), high(a.x, b.x, width_),
            high(a.y, b.y, height_)};
}

/// How much a pixel is covered depends on how far its middle is inside the edge, within half a
/// pixel.
void Raster::draw_piece(Point a, Point b, double radius) {
    const Box box = around(a, b, radius + 1);
    drawn_ = {std::min(drawn_.left, box.left), std::min(drawn_.top, box.top),
              std::max(drawn_.right, box.right), std::max(drawn_.bottom, box.bottom)};
    const auto along_x = static_cast<float>(b.x - a.x), along_y = static_cast<float>(b.y - a.y);
    const float length = along_x * along_x + along_y * along_y;
    const float scale = length > 0 ? 1 / length : 0;
    const auto edge = static_cast<float>(radius) + 0.5f;
    const float inside = std::max(0.0f, edge - 1) * std::max(0.0f, edge - 1);
    for (int y = box.top; y < box.bottom; ++y) {
        const float from_y = static_cast<float>(y) + 0.5f - static_cast<float>(a.y);
        for (int x = box.left; x < box.right; ++x) {
            const float from_x = static_cast<float>(x) + 0.5f - static_cast<float>(a.x);
            const float part =
                std::clamp((from_x * along_x + from_y * along_y) * scale, 0.0f, 1.0f);
            const float off_x = from_x - part * along_x, off_y = from_y - part * along_y;
            const float square = off_x * off_x + off_y * off_y;
            if (square >= edge * edge) continue;
            auto& pixel = ink_[index(x, y)];
            if (square <= inside)
                pixel = 255;
            else
                pixel =
                    std::max(pixel, static_cast<std::uint8_t>(255 * (edge - std::sqrt(square))));
        }
    }
}

void Raster::invert(const Raster& other) {
    CHECK(width_ == other.width_ && height_ == other.height_, "both have the same size");
    const Box& box = other.drawn_;
    for (int y = box.top; y < box.bottom; ++y)
        for (auto i = index(box.left, y); i < index(box.right, y); ++i) {
            const unsigned mine = ink_[i], theirs = other.ink_[i];
            ink_[i] = static_cast<std::uint8_t>(mine + theirs - 2 * mine * theirs / 255);
        }
    drawn_ = {std::min(drawn_.left, box.left), std::min(drawn_.top, box.top),
              std::max(drawn_.right, box.right), std::max(drawn_.bottom, box.bottom)};
}

void Raster::invert_below(std::span<const double> border) {
    CHECK(border.size() == static_cast<std::size_t>(width_), "each column has its height");
    for (int x = 0; x < width_; ++x) {
        const double height =
            std::clamp(border[static_cast<std::size_t>(x)], 0.0, static_cast<double>(height_));
        auto y = static_cast<int>(height);
        if (y == height_) continue;
        // The border runs through this pixel; pixels below it are on the other side.
        const auto share = static_cast<unsigned>(255 * (y + 1 - height));
        for (auto i = index(x, y); i < ink_.size(); i += static_cast<std::size_t>(width_)) {
            const unsigned mine = ink_[i], theirs = i == index(x, y) ? share : 255;
            ink_[i] = static_cast<std::uint8_t>(mine + theirs - 2 * mine * theirs / 255);
        }
    }
    drawn_ = {0, 0, width_, height_};
}

void Raster::clear() {
    for (int y = drawn_.top; y < drawn_.bottom; ++y)
        std::fill(ink_.begin() + static_cast<std::ptrdiff_t>(index(drawn_.left, y)),
                  ink_.begin() + static_cast<std::ptrdiff_t>(index(drawn_.right, y)), 0);
    drawn_ = {width_, height_, 0, 0};
}

}  // namespace sluice
