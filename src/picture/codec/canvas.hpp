#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sluice {

struct Extent {
    std::size_t width = 0;
    std::size_t height = 0;

    std::size_t pixels() const { return width * height; }
    Extent turned() const { return {height, width}; }

    friend bool operator==(const Extent&, const Extent&) = default;
};

/// The largest extent of the same shape that fits into the box, never larger than it was; each side
/// is at least 1.
Extent fit(Extent extent, Extent box);

/// Pixels in memory, row by row; each has red, green and blue.
struct Canvas {
    Extent extent;
    std::vector<std::uint8_t> pixels;

    static constexpr std::size_t kChannels = 3;

    std::size_t row_bytes() const { return extent.width * kChannels; }
    std::span<const std::uint8_t> row(std::size_t y) const {
        return std::span(pixels).subspan(y * row_bytes(), row_bytes());
    }
};

/// Makes a picture smaller while its rows arrive, so that the large one is never in memory. Each
/// pixel of the result is the mean of the area that it covers.
class Shrinker {
  public:
    /// `to` is not larger than `from` on any side.
    Shrinker(Extent from, Extent to);

    /// Takes the next row of the large picture.
    void put(std::span<const std::uint8_t> row);

    /// After the last row.
    Canvas take() { return std::move(canvas_); }

  private:
    void narrow(std::span<const std::uint8_t> row);
    void add(std::size_t weight);
    void emit();

    const Extent from_, to_;
    std::vector<std::uint32_t> line_;  // the row, as wide as the result, times from_.width
    std::vector<std::uint64_t> sums_;  // of the rows that make the next one of the result
    std::size_t room_;                 // weight that is missing for that row
    std::size_t rows_ = 0;             // of the result that are done
    Canvas canvas_;
};

Canvas shrink(const Canvas& canvas, Extent to);

/// As EXIF's orientation demands, from 1 to 8.
Canvas turn(Canvas canvas, int orientation);
constexpr bool swaps_sides(int orientation) {
    return orientation >= 5;
}

}  // namespace sluice
