#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "picture/codec/canvas.hpp"
#include "picture/codec/flaw.hpp"

namespace sluice {

/// What one file may cost. A file that needs more is refused as too complex.
struct DecodeBounds {
    std::size_t memory_bytes = 256u << 20;
    int scans = 64;  // of a progressive JPEG; cameras and programs write about ten
};

/// `stored`: what the head of the file says, and the file is refused if its decoder sees something
/// else. `to`: not larger. Damaged pixels are refused too, even where others show them grey.
std::expected<Canvas, PictureFlaw> decode_jpeg(std::string_view file, Extent stored, Extent to,
                                               const DecodeBounds& bounds);

/// Progressive, and without anything but the picture. `quality` from 1 to 100. Throws
/// std::bad_alloc.
std::string encode_jpeg(const Canvas& canvas, int quality);

}  // namespace sluice
