#pragma once

#include <expected>
#include <string_view>

#include "picture/codec/canvas.hpp"
#include "picture/codec/flaw.hpp"
#include "picture/codec/jpeg.hpp"

namespace sluice {

/// As decode_jpeg(). Whatever is transparent is shown on white.
std::expected<Canvas, PictureFlaw> decode_png(std::string_view file, Extent stored, Extent to,
                                              const DecodeBounds& bounds);

}  // namespace sluice
