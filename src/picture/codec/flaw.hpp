#pragma once

#include <cstddef>

namespace sluice {

/// Why a file is not taken as a picture.
enum class PictureFlaw {
    no_picture,   // neither a JPEG nor a PNG
    broken,       // damaged or cut off
    colours,      // in CMYK or another form that screens do not show
    too_complex,  // takes more memory or more passes than is allowed
};

}  // namespace sluice
