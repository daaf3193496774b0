#include "picture/codec/canvas.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"

namespace sluice {
namespace {

/// `side` by the ratio of a to b, rounded.
std::size_t scaled(std::size_t side, std::size_t a, std::size_t b) {
    return std::max<std::size_t>((side * a + b / 2) / b, 1);
}

}  // namespace

Extent fit(Extent extent, Extent box) {
    if (extent.width > box.width)
        extent = {box.width, scaled(extent.height, box.width, extent.width)};
    if (extent.height > box.height)
        extent = {scaled(extent.width, box.height, extent.height), box.height};
    return extent;
}

Shrinker::Shrinker(Extent from, Extent to)
    : from_(from),
      to_(to),
      line_(to.width * Canvas::kChannels),
      sums_(to.width * Canvas::kChannels),
      room_(from.height),
      canvas_{to, std::vector<std::uint8_t>(to.pixels() * Canvas::kChannels)} {
    CHECK(to.width >= 1 && to.height >= 1 && to.width <= from.width && to.height <= from.height,
          "a picture is only made smaller");
}

/// A pixel weighs as much as the result has rows, and a row of the result is full when it has as
/// much as the large picture has rows: so the weights are whole numbers.
void Shrinker::put(std::span<const std::uint8_t> row) {
    CHECK(rows_ < to_.height, "a picture has as many rows as was said");
    narrow(row);
    auto weight = to_.height;
    const auto first = std::min(weight, room_);
    add(first);
    weight -= first;
    if (room_ == 0) emit();
    if (weight > 0) add(weight);
}

void Shrinker::narrow(std::span<const std::uint8_t> row) {
    CHECK(row.size() == from_.width * Canvas::kChannels, "a row is as wide as was said");
    std::ranges::fill(line_, 0);
    auto* out = line_.data();
    auto room = from_.width;
    for (std::size_t x = 0; x < from_.width; ++x) {
        const auto* pixel = row.data() + x * Canvas::kChannels;
        const auto add_part = [&](std::size_t weight) {
            for (std::size_t c = 0; c < Canvas::kChannels; ++c)
                out[c] += static_cast<std::uint32_t>(weight) * pixel[c];
            room -= weight;
        };
        auto weight = to_.width;
        const auto first = std::min(weight, room);
        add_part(first);
        weight -= first;
        if (room > 0) continue;
        out += Canvas::kChannels;
        room = from_.width;
        if (weight > 0) add_part(weight);
    }
}

void Shrinker::add(std::size_t weight) {
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += weight * line_[i];
    room_ -= weight;
}

void Shrinker::emit() {
    const auto whole = static_cast<std::uint64_t>(from_.pixels());
    auto* out = canvas_.pixels.data() + rows_ * canvas_.row_bytes();
    for (std::size_t i = 0; i < sums_.size(); ++i) {
        out[i] = static_cast<std::uint8_t>((sums_[i] + whole / 2) / whole);
        sums_[i] = 0;
    }
    ++rows_;
    room_ = from_.height;
}

Canvas shrink(const Canvas& canvas, Extent to) {
    Shrinker shrinker(canvas.extent, to);
    for (std::size_t y = 0; y < canvas.extent.height; ++y) shrinker.put(canvas.row(y));
    return shrinker.take();
}

Canvas turn(Canvas canvas, int orientation) {
    CHECK(orientation >= 1 && orientation <= 8, "EXIF knows eight orientations");
    if (orientation == 1) return canvas;
    const auto from = canvas.extent;
    const auto to = swaps_sides(orientation) ? from.turned() : from;
    Canvas turned{to, std::vector<std::uint8_t>(canvas.pixels.size())};
    // Where the pixel x, y of the result is in the stored picture.
    const bool from_right =
        orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    const bool from_bottom =
        orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    auto* out = turned.pixels.data();
    for (std::size_t y = 0; y < to.height; ++y)
        for (std::size_t x = 0; x < to.width; ++x) {
            auto [column, row] = swaps_sides(orientation) ? std::pair(y, x) : std::pair(x, y);
            if (from_right) column = from.width - 1 - column;
            if (from_bottom) row = from.height - 1 - row;
            const auto* pixel =
                canvas.pixels.data() + (row * from.width + column) * Canvas::kChannels;
            out = std::copy_n(pixel, Canvas::kChannels, out);
        }
    return turned;
}

}  // namespace sluice
