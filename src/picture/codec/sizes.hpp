#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "picture/codec/canvas.hpp"
#include "picture/codec/flaw.hpp"
#include "picture/codec/head.hpp"
#include "picture/codec/jpeg.hpp"

namespace sluice {

/// A picture as it is shown: a JPEG without anything but the picture.
struct EncodedPicture {
    Extent extent;
    std::string jpeg;
};

struct SizeBounds {
    Extent box;  // of the largest size
    std::span<const std::size_t>
        widths;                  // of the smaller ones; those that are not smaller are left out
    std::size_t most_bytes = 0;  // of each size; it is coded more coarsely until it fits
};

/// Decodes the file, turns it as its EXIF demands and makes its sizes, the largest last. The work
/// of up to a second, so not for the event loop. Never enlarges. May throw std::bad_alloc.
std::expected<std::vector<EncodedPicture>, PictureFlaw> make_sizes(std::string_view file,
                                                                   const PictureHead& head,
                                                                   const SizeBounds& sizes,
                                                                   const DecodeBounds& bounds = {});

}  // namespace sluice
