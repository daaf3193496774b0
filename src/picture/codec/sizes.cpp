#include "picture/codec/sizes.hpp"

#include "base/check.hpp"
#include "picture/codec/png_reader.hpp"

namespace sluice {
namespace {

/// The first is what the eye does not tell from the original. Noise needs the others.
constexpr int kQualities[] = {82, 65, 45, 25, 10};

std::expected<Canvas, PictureFlaw> decode(std::string_view file, const PictureHead& head, Extent to,
                                          const DecodeBounds& bounds) {
    const Extent stored{head.width, head.height};
    switch (head.kind) {
        case PictureKind::jpeg:
            return decode_jpeg(file, stored, to, bounds);
        case PictureKind::png:
            return decode_png(file, stored, to, bounds);
    }
    CHECK(false, "a picture is of one of the kinds");
}

std::expected<EncodedPicture, PictureFlaw> encode(const Canvas& canvas, std::size_t most_bytes) {
    for (const int quality : kQualities) {
        auto jpeg = encode_jpeg(canvas, quality);
        if (jpeg.size() <= most_bytes) return EncodedPicture{canvas.extent, std::move(jpeg)};
    }
    return std::unexpected(PictureFlaw::too_complex);
}

}  // namespace

std::expected<std::vector<EncodedPicture>, PictureFlaw> make_sizes(std::string_view file,
                                                                   const PictureHead& head,
                                                                   const SizeBounds& sizes,
                                                                   const DecodeBounds& bounds) {
    const bool swaps = swaps_sides(head.orientation);
    const auto box = swaps ? sizes.box.turned() : sizes.box;
    auto decoded = decode(file, head, fit({head.width, head.height}, box), bounds);
    if (!decoded) return std::unexpected(decoded.error());
    const auto largest = turn(std::move(*decoded), head.orientation);
    std::vector<EncodedPicture> made;
    const auto add = [&](const Canvas& canvas) -> std::expected<void, PictureFlaw> {
        auto encoded = encode(canvas, sizes.most_bytes);
        if (!encoded) return std::unexpected(encoded.error());
        made.push_back(std::move(*encoded));
        return {};
    };
    for (const auto width : sizes.widths) {
        if (width >= largest.extent.width) continue;
        const auto extent = fit(largest.extent, {width, largest.extent.height});
        if (const auto added = add(shrink(largest, extent)); !added)
            return std::unexpected(added.error());
    }
    if (const auto added = add(largest); !added) return std::unexpected(added.error());
    return made;
}

}  // namespace sluice
