#pragma once

#include <string>

namespace sluice::testing_support {

enum class JpegColours { rgb, grey, cmyk };

struct SampleJpeg {
    unsigned width = 40;
    unsigned height = 20;
    JpegColours colours = JpegColours::rgb;
    bool progressive = false;
    int scans = 0;        // of a progressive one, if it is to have so many more
    int orientation = 0;  // 0: without EXIF
};
/// Red on the left, blue on the right; of a picture that is turned, as it is stored.
std::string sample_jpeg(const SampleJpeg& wish);

enum class PngColours { rgb, grey, palette, rgb_and_alpha };

struct SamplePng {
    unsigned width = 40;
    unsigned height = 20;
    PngColours colours = PngColours::rgb;
    int depth = 8;
    bool interlaced = false;
    bool has_transparent_colour = false;  // tRNS: the red of a palette, black of a grey one
};
/// Red on the left, blue on the right. A grey one is black and white, and with alpha the red half
/// is transparent.
std::string sample_png(const SamplePng& wish);

/// As `file`, which is a JPEG or a PNG, but with a head that says it has so many pixels.
std::string with_extent(std::string file, unsigned width, unsigned height);

}  // namespace sluice::testing_support
