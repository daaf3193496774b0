#include "picture/formula_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include "picture/png.hpp"
#include "picture/raster.hpp"
#include "picture/strokes.hpp"

namespace sluice {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

class Chance {
  public:
    explicit Chance(std::uint64_t seed) : engine_(seed) {}

    double between(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(engine_);
    }
    int between(int low, int high) {
        return std::uniform_int_distribution<int>(low, high)(engine_);
    }
    /// A random value, equally far to either side.
    double within(double most) { return between(-most, most); }
    double phase() { return between(0.0, kTurn); }

  private:
    std::mt19937_64 engine_;
};

/// Bends the whole picture, so that no line of text is straight.
class Wave {
  public:
    explicit Wave(Chance& chance)
        : height_(chance.between(3.0, 7.0)),
          length_(chance.between(80.0, 150.0)),
          start_(chance.phase()),
          sway_(chance.between(1.0, 3.0)),
          pace_(chance.between(40.0, 70.0)) {}

    Point operator()(Point p) const {
        return {p.x + sway_ * std::sin(kTurn * p.y / pace_ + start_),
                p.y + height_ * std::sin(kTurn * p.x / length_ + start_)};
    }

  private:
    double height_, length_, start_, sway_, pace_;
};

bool is_sign(char symbol) {
    return symbol < '0' || symbol > '9';
}

/// One symbol as one person would write it once: with its own form, size, lean and bends.
class Symbol {
  public:
    Symbol(char symbol, Chance& chance) {
        const auto forms = forms_of(symbol);
        glyph_ =
            &forms[static_cast<std::size_t>(chance.between(0, static_cast<int>(forms.size()) - 1))];
        // A plus that leans too far looks like a times sign, and a minus that is too small is not
        // seen.
        const bool sign = is_sign(symbol);
        high_ = sign ? chance.between(48.0, 58.0) : chance.between(46.0, 64.0);
        wide_ = high_ * chance.between(0.9, 1.2);
        thickness_ = sign ? chance.between(7.5, 9.5) : chance.between(6.5, 10.5);
        lean_ = chance.within(sign ? 10 : 25) * kTurn / 360;
        slant_ = chance.within(0.15);
        bend_ = chance.within(sign ? 0.0 : 0.006);
        arch_ = chance.within(sign ? 0.0 : 0.010);
        sway_ = chance.within(sign ? 0.0 : 3.0);
        start_ = chance.phase();
    }

    double width() const { return glyph_->width * wide_ + thickness_; }

    void draw(Raster& raster, Point middle, const Wave& wave) const {
        for (const auto& stroke : glyph_->strokes) {
            Stroke drawn;
            drawn.reserve(stroke.size());
            for (const auto& p : stroke) {
                const auto [x, y] = turned(bent(p));
                drawn.push_back(wave({middle.x + x, middle.y + y}));
            }
            raster.draw(drawn, thickness_);
        }
    }

  private:
    /// From the glyph's coordinates to pixels around its middle.
    Point bent(Point p) const {
        const double x = (p.x - glyph_->width / 2) * wide_, y = (p.y - 0.5) * high_;
        return {x + slant_ * y + bend_ * y * y + sway_ * std::sin(kTurn * y / high_ + start_),
                y + arch_ * x * x};
    }
    Point turned(Point p) const {
        return {p.x * std::cos(lean_) - p.y * std::sin(lean_),
                p.x * std::sin(lean_) + p.y * std::cos(lean_)};
    }

    const Glyph* glyph_;
    double high_, wide_, thickness_, lean_, slant_, bend_, arch_, sway_, start_;
};

/// Neighbours touch or overlap a little, and none has the same height as the one before. Where two
/// of them overlap, the pixel is ground, so that people can still see each one as a whole.
void draw_text(Raster& picture, std::string_view text, Chance& chance) {
    const Wave wave(chance);
    std::vector<Symbol> symbols;
    std::vector<double> middles;
    double end = 0;
    for (const char symbol : text) {
        const auto& each = symbols.emplace_back(symbol, chance);
        if (symbols.size() > 1) end += chance.between(-6.0, 0.0);
        middles.push_back(end + each.width() / 2);
        end += each.width();
    }
    const double left = (kPictureWidth - end) * chance.between(0.4, 0.6);
    Raster layer(kPictureWidth, kPictureHeight);
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        layer.clear();
        symbols[i].draw(layer, {left + middles[i], kPictureHeight / 2.0 + chance.within(11)}, wave);
        picture.invert(layer);
    }
}

/// A border from the left edge to the right one, around a height.
std::vector<double> horizon(double height, Chance& chance) {
    const double swell = chance.between(8.0, 15.0), length = chance.between(60.0, 110.0);
    const double ripple = chance.between(3.0, 7.0), pace = chance.between(25.0, 45.0);
    const double start = chance.phase(), other_start = chance.phase();
    std::vector<double> border;
    border.reserve(kPictureWidth);
    for (int x = 0; x < kPictureWidth; ++x)
        border.push_back(height + swell * std::sin(kTurn * x / length + start) +
                         ripple * std::sin(kTurn * x / pace + other_start));
    return border;
}

/// Ground and ink are exchanged at each of these borders, in the middle of most strokes. People see
/// through that at once. A program finds neither one colour for the ink, nor one connected piece
/// for each symbol.
void draw_horizons(Raster& picture, Chance& chance) {
    constexpr int count = 3;
    for (int i = 0; i < count; ++i) {
        const double step = kPictureHeight * 0.26;
        const double height = kPictureHeight / 2.0 + (i - (count - 1) / 2.0) * step;
        picture.invert_below(horizon(height + chance.within(6), chance));
    }
}

/// From a light ground to a dark ink, each with its own tint.
Palette make_palette(Chance& chance) {
    std::array<int, 3> ground, ink;
    for (auto& part : ground) part = chance.between(228, 250);
    for (auto& part : ink) part = chance.between(10, 80);
    Palette palette;
    const int most = static_cast<int>(palette.size()) - 1;
    for (int i = 0; i <= most; ++i) {
        const auto mix = [&](std::size_t part) {
            return static_cast<std::uint8_t>(ground[part] + (ink[part] - ground[part]) * i / most);
        };
        palette[static_cast<std::size_t>(i)] = {mix(0), mix(1), mix(2)};
    }
    return palette;
}

}  // namespace

std::string draw_formula(std::string_view text, std::uint64_t seed) {
    Chance chance(seed);
    Raster picture(kPictureWidth, kPictureHeight);
    draw_text(picture, text, chance);
    draw_horizons(picture, chance);
    std::vector<std::uint8_t> shades(picture.ink().begin(), picture.ink().end());
    for (auto& shade : shades) shade = static_cast<std::uint8_t>(shade / 16);
    return to_png(kPictureWidth, kPictureHeight, shades, make_palette(chance));
}

}  // namespace sluice
