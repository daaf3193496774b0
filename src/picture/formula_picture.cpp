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

  private:
    std::mt19937_64 engine_;
};

/// Bends the whole picture, so that no line of text is straight.
class Wave {
  public:
    explicit Wave(Chance& chance)
        : height_(chance.between(4.0, 7.0)),
          length_(chance.between(70.0, 130.0)),
          start_(chance.between(0.0, 6.3)),
          sway_(chance.between(2.0, 4.0)),
          pace_(chance.between(40.0, 70.0)) {}

    Point operator()(Point p) const {
        return {p.x + sway_ * std::sin(kTurn * p.y / pace_ + start_),
                p.y + height_ * std::sin(kTurn * p.x / length_ + start_)};
    }

  private:
    double height_, length_, start_, sway_, pace_;
};

struct Placed {
    const Glyph* glyph;
    bool sign;
    double size;
    double thickness;
    Point middle;
};

bool is_sign(char symbol) { return symbol < '0' || symbol > '9'; }

std::vector<Placed> place(std::string_view text, Chance& chance) {
    std::vector<Placed> all;
    double x = 0;
    for (const char symbol : text) {
        const auto forms = forms_of(symbol);
        Placed each{};
        each.glyph = &forms[static_cast<std::size_t>(
            chance.between(0, static_cast<int>(forms.size()) - 1))];
        each.sign = is_sign(symbol);
        each.size = each.sign ? chance.between(44., 56.) : chance.between(44.0, 64.0);
        each.thickness = chance.between(6.5, 10.5);
        const double wide = each.glyph->width * each.size + each.thickness;
        x += chance.between(-5.0, 1.0);
        each.middle = {x + wide / 2, kPictureHeight / 2.0 + chance.between(-12.0, 12.0)};
        x += wide;
        all.push_back(each);
    }
    const double shift = (kPictureWidth - x) * chance.between(0.35, 0.65);
    for (auto& each : all) each.middle.x += shift;
    return all;
}

void draw_symbol(Raster& raster, const Placed& placed, const Wave& wave, Chance& chance) {
    const double most_lean = placed.sign ? 10 : 24;
    const double bend = placed.sign ? 0 : chance.between(-.006, .006), arch = placed.sign ? 0 : chance.between(-.008, .008);
    const double lean = chance.between(-most_lean, most_lean) * std::numbers::pi / 180;
    const double wide = placed.size * chance.between(0.9, 1.15);
    const double high = placed.size * chance.between(0.9, 1.05);
    const double slant = chance.between(-0.15, 0.15);
    for (const auto& stroke : placed.glyph->strokes) {
        Stroke drawn;
        for (const auto& p : stroke) {
            const double up = (p.y - 0.5) * high;
            const double side = (p.x - placed.glyph->width / 2) * wide;
            const double x = side + slant * up + bend * up * up;
            const double y = up + arch * side * side;
            drawn.push_back(wave({placed.middle.x + x * std::cos(lean) - y * std::sin(lean),
                                  placed.middle.y + x * std::sin(lean) + y * std::cos(lean)}));
        }
        raster.draw(drawn, placed.thickness);
    }
}

Stroke curve(const std::array<Point, 4>& pull) {
    constexpr int pieces = 40;
    Stroke points;
    for (int step = 0; step <= pieces; ++step) {
        const double t = static_cast<double>(step) / pieces, s = 1 - t;
        const double a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
        points.push_back({a * pull[0].x + b * pull[1].x + c * pull[2].x + d * pull[3].x,
                          a * pull[0].y + b * pull[1].y + c * pull[2].y + d * pull[3].y});
    }
    return points;
}

std::string colour(const Raster& raster, Chance& chance) {
    std::array<int, 3> ground, ink;
    for (auto& part : ground) part = chance.between(228, 250);
    for (auto& part : ink) part = chance.between(10, 80);
    Palette palette;
    for (std::size_t i = 0; i < palette.size(); ++i) {
        const auto mix = [&](std::size_t part) {
            return static_cast<std::uint8_t>(ground[part] +
                                             (ink[part] - ground[part]) * static_cast<int>(i) / 15);
        };
        palette[i] = {mix(0), mix(1), mix(2)};
    }
    std::vector<std::uint8_t> pixels(raster.ink().begin(), raster.ink().end());
    for (auto& pixel : pixels) pixel = static_cast<std::uint8_t>(pixel >> 4);
    return to_png(raster.width(), raster.height(), pixels, palette);
}

int option(const char* name, int otherwise) {
    const char* value = std::getenv(name);
    return value ? std::atoi(value) : otherwise;
}

}  // namespace

std::string draw_formula(std::string_view text, std::uint64_t seed) {
    Chance chance(seed);
    const Wave wave(chance);
    Raster picture(kPictureWidth, kPictureHeight), layer(kPictureWidth, kPictureHeight);
    for (const auto& each : place(text, chance)) {
        layer.clear();
        draw_symbol(layer, each, wave, chance);
        picture.invert(layer);
    }
    for (int i = 0; i < option("SLASHES", 0); ++i) {
        layer.clear();
        const double top = (i + chance.between(.0, 1.)) * 280 / option("SLASHES", 0) + 20;
        const double run = chance.between(30., 110.) * (chance.between(0, 1) == 0 ? -1 : 1);
        layer.draw(curve({{{top - run / 2, -8},
                           {top + run + chance.between(-30., 30.), chance.between(10., 45.)},
                           {top - run + chance.between(-30., 30.), chance.between(55., 90.)},
                           {top + run / 2, 108}}}),
                   chance.between(7.5, 9.5));
        picture.invert(layer);
    }
    for (int i = 0; i < option("RIBBONS", 0); ++i) {
        layer.clear();
        const bool down = chance.between(0, 1) == 0;
        const double from = down ? chance.between(-.2, .3) : chance.between(.7, 1.2);
        const double to = 1 - from + chance.between(-.2, .2);
        layer.draw(curve({{{-10, from * kPictureHeight},
                           {chance.between(60., 130.), (2 * from - .5) * kPictureHeight},
                           {chance.between(190., 260.), (2 * to - .5) * kPictureHeight},
                           {330, to * kPictureHeight}}}),
                   chance.between(4.5, 6.5));
        picture.invert(layer);
    }
    const int discs = option("DISCS", 0);
    for (int i = 0; i < discs; ++i) {
        layer.clear();
        const Point p{45 + (i + chance.between(0., 1.)) * 230 / discs, chance.between(10., 90.)};
        layer.draw({p, {p.x + chance.between(-25., 25.), p.y + chance.between(-25., 25.)}},
                   chance.between(36., 60.));
        picture.invert(layer);
    }
    const int horizons = option("HORIZONS", 3);
    for (int i = 0; i < horizons; ++i) {
        const double middle = 50 + (i - (horizons - 1) / 2.) * 26 + chance.between(-6., 6.);
        const double h1 = chance.between(8., 16.), l1 = chance.between(60., 110.), s1 = chance.between(0., kTurn);
        const double h2 = chance.between(3., 7.), l2 = chance.between(25., 45.), s2 = chance.between(0., kTurn);
        for (int x = 0; x < kPictureWidth; ++x) {
            const double border = middle + h1 * std::sin(kTurn * x / l1 + s1) + h2 * std::sin(kTurn * x / l2 + s2);
            for (int y = 0; y < kPictureHeight; ++y)
                picture.mix(x, y, static_cast<unsigned>(255 * std::clamp(y + 1 - border, 0., 1.)));
        }
    }
    const int curtains = option("CURTAINS", 0);
    for (int i = 0; i < curtains; ++i) {
        const double middle = 40 + (i + chance.between(.2, .8)) * 240 / curtains;
        const double h1 = chance.between(8., 16.), l1 = chance.between(60., 110.), s1 = chance.between(0., kTurn);
        const double h2 = chance.between(3., 7.), l2 = chance.between(25., 45.), s2 = chance.between(0., kTurn);
        for (int y = 0; y < kPictureHeight; ++y) {
            const double border = middle + h1 * std::sin(kTurn * y / l1 + s1) + h2 * std::sin(kTurn * y / l2 + s2);
            for (int x = 0; x < kPictureWidth; ++x)
                picture.mix(x, y, static_cast<unsigned>(255 * std::clamp(x + 1 - border, 0., 1.)));
        }
    }
    return colour(picture, chance);
}

}  // namespace sluice
