#pragma once

#include <cstdint>
#include <expected>
#include <string_view>

#include "picture/codec/flaw.hpp"

namespace sluice {

enum class PictureKind { jpeg, png };

/// What a file says of itself before any pixel.
struct PictureHead {
    PictureKind kind = PictureKind::jpeg;
    std::uint32_t width = 0;  // as stored, not as turned
    std::uint32_t height = 0;
    int orientation = 1;  // of EXIF, 1 to 8: how the stored picture has to be turned

    friend bool operator==(const PictureHead&, const PictureHead&) = default;
};

/// Reads no pixel and allocates nothing, so it is for the event loop. Both sides are at least 1.
std::expected<PictureHead, PictureFlaw> read_picture_head(std::string_view file);

}  // namespace sluice
