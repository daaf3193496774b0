#include "picture/formula_picture.hpp"

#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <random>

#include <gd.h>

#include "base/check.hpp"
#include "picture/strokes.hpp"

namespace sluice {
namespace {

// Drawn so many times larger in two colours, and then made small: each pixel becomes as dark as
// the share of ink in it, which is what makes edges smooth.
constexpr int kFine = 3;
constexpr int kShades = kFine * kFine + 1;
constexpr int kInk = 1;

struct DestroyImage {
    void operator()(gdImage* image) const { gdImageDestroy(image); }
};
using Image = std::unique_ptr<gdImage, DestroyImage>;

Image make_image(int width, int height) {
    Image image(gdImageCreate(width, height));
    CHECK(image, "there is memory for a small picture");
    return image;
}

class Chance {
  public:
    explicit Chance(std::uint64_t seed) : engine_(seed) {}

    double between(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(engine_);
    }
    int between(int low, int high) {
        return std::uniform_int_distribution<int>(low, high)(engine_);
    }

  private:
    std::mt19937_64 engine_;
};

/// Bends the whole picture, so that no line of text is straight.
class Wave {
  public:
    explicit Wave(Chance& chance)
        : height_(chance.between(2.0, 5.0)),
          length_(chance.between(90.0, 180.0)),
          start_(chance.between(0.0, 6.3)),
          sway_(chance.between(1.0, 3.0)),
          pace_(chance.between(40.0, 80.0)) {}

    Point operator()(Point p) const {
        constexpr double turn = 2 * std::numbers::pi;
        return {p.x + sway_ * std::sin(turn * p.y / pace_ + start_),
                p.y + height_ * std::sin(turn * p.x / length_ + start_)};
    }

  private:
    double height_, length_, start_, sway_, pace_;
};

class Canvas {
  public:
    Canvas() : fine_(make_image(kPictureWidth * kFine, kPictureHeight * kFine)) {
        gdImageColorAllocate(fine_.get(), 255, 255, 255);
        CHECK(gdImageColorAllocate(fine_.get(), 0, 0, 0) == kInk, "colours are numbered in order");
    }

    /// With a round pen, so that corners have no gaps.
    void draw(const Stroke& stroke, double thickness) {
        const int pen = static_cast<int>(std::lround(thickness * kFine));
        gdImageSetThickness(fine_.get(), pen);
        for (std::size_t i = 0; i < stroke.size(); ++i) {
            const auto [x, y] = at(stroke[i]);
            gdImageFilledEllipse(fine_.get(), x, y, pen, pen, kInk);
            if (i == 0) continue;
            const auto [from_x, from_y] = at(stroke[i - 1]);
            gdImageLine(fine_.get(), from_x, from_y, x, y, kInk);
        }
    }

    std::string to_png(Chance& chance) const {
        auto small = make_image(kPictureWidth, kPictureHeight);
        allocate_shades(*small, chance);
        for (int y = 0; y < kPictureHeight; ++y)
            for (int x = 0; x < kPictureWidth; ++x)
                gdImagePalettePixel(small, x, y) = static_cast<unsigned char>(ink_in(x, y));
        int size = 0;
        const std::unique_ptr<void, decltype(&gdFree)> bytes(gdImagePngPtr(small.get(), &size),
                                                             gdFree);
        CHECK(bytes, "a small picture can be written");
        return {static_cast<const char*>(bytes.get()), static_cast<std::size_t>(size)};
    }

  private:
    static std::pair<int, int> at(Point p) {
        return {static_cast<int>(std::lround(p.x * kFine)),
                static_cast<int>(std::lround(p.y * kFine))};
    }

    /// From a light ground to a dark ink, each with a tint of its own.
    static void allocate_shades(gdImage& image, Chance& chance) {
        std::array<int, 3> ground, ink;
        for (auto& part : ground) part = chance.between(228, 250);
        for (auto& part : ink) part = chance.between(10, 80);
        for (int i = 0; i < kShades; ++i) {
            const auto mix = [&](std::size_t part) {
                return ground[part] + (ink[part] - ground[part]) * i / (kShades - 1);
            };
            gdImageColorAllocate(&image, mix(0), mix(1), mix(2));
        }
    }

    int ink_in(int x, int y) const {
        int ink = 0;
        for (int row = y * kFine; row < (y + 1) * kFine; ++row)
            for (int column = x * kFine; column < (x + 1) * kFine; ++column)
                ink += gdImagePalettePixel(fine_, column, row);
        return ink;
    }

    const Image fine_;
};

bool is_sign(char symbol) {
    return symbol < '0' || symbol > '9';
}

void draw_symbol(Canvas& canvas, const Glyph& glyph, Point middle, double size, double most_lean,
                 const Wave& wave, Chance& chance) {
    const double lean = chance.between(-most_lean, most_lean) * std::numbers::pi / 180;
    const double wide = size * chance.between(0.9, 1.15);
    const double high = size * chance.between(0.92, 1.08);
    const double slant = chance.between(-0.12, 0.12);
    const double thickness = chance.between(4.2, 5.6);
    for (const auto& stroke : glyph.strokes) {
        Stroke drawn;
        for (const auto& p : stroke) {
            const double y = (p.y - 0.5) * high;
            const double x = (p.x - glyph.width / 2) * wide + slant * y;
            drawn.push_back(wave({middle.x + x * std::cos(lean) - y * std::sin(lean),
                                  middle.y + x * std::sin(lean) + y * std::cos(lean)}));
        }
        canvas.draw(drawn, thickness);
    }
}

void draw_text(Canvas& canvas, std::string_view text, const Wave& wave, Chance& chance) {
    constexpr double size = 46;
    const auto gap = [](char symbol) { return is_sign(symbol) ? 0.34 : 0.14; };  // on each side
    double length = 0;
    for (const char symbol : text) length += (glyph_of(symbol).width + 2 * gap(symbol)) * size;
    const double room = std::max(0.0, kPictureWidth - 24 - length);
    double x = 12 + chance.between(0.25, 0.75) * room;
    for (const char symbol : text) {
        const auto& glyph = glyph_of(symbol);
        const double advance = (glyph.width + 2 * gap(symbol)) * size;
        const Point middle{x + advance / 2 + chance.between(-1.5, 1.5),
                           kPictureHeight / 2.0 + chance.between(-9.0, 9.0)};
        // A plus that leans too far is a times.
        draw_symbol(canvas, glyph, middle, size, is_sign(symbol) ? 8 : 16, wave, chance);
        x += advance;
    }
}

/// Long thin curves through the text, and short ones around it. Thinner than any sign, so that
/// none of them reads as a minus.
void draw_noise(Canvas& canvas, Chance& chance) {
    constexpr int pieces = 40;
    const int curves = chance.between(2, 4);
    for (int i = 0; i < curves; ++i) {
        const std::array<Point, 4> pull{{{-5, chance.between(0.0, 1.0) * kPictureHeight},
                                         {110, chance.between(-0.4, 1.4) * kPictureHeight},
                                         {210, chance.between(-0.4, 1.4) * kPictureHeight},
                                         {325, chance.between(0.0, 1.0) * kPictureHeight}}};
        Stroke curve;
        for (int step = 0; step <= pieces; ++step) {
            const double t = static_cast<double>(step) / pieces, s = 1 - t;
            const double a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
            curve.push_back({a * pull[0].x + b * pull[1].x + c * pull[2].x + d * pull[3].x,
                             a * pull[0].y + b * pull[1].y + c * pull[2].y + d * pull[3].y});
        }
        canvas.draw(curve, chance.between(1.0, 1.8));
    }
    const int scratches = chance.between(14, 22);
    for (int i = 0; i < scratches; ++i) {
        // Above and below the middle: across a minus, one would make it a plus.
        const double edge = chance.between(0.0, 0.3) * kPictureHeight;
        const Point from{chance.between(0.0, 1.0) * kPictureWidth,
                         chance.between(0, 1) == 0 ? edge : kPictureHeight - edge};
        const Point to{from.x + chance.between(-12.0, 12.0), from.y + chance.between(-12.0, 12.0)};
        canvas.draw({from, to}, chance.between(0.8, 1.6));
    }
}

}  // namespace

std::string draw_formula(std::string_view text, std::uint64_t seed) {
    Chance chance(seed);
    Canvas canvas;
    const Wave wave(chance);
    draw_text(canvas, text, wave, chance);
    draw_noise(canvas, chance);
    return canvas.to_png(chance);
}

}  // namespace sluice
