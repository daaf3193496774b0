#include "base/check.hpp"
#include "fuzz/targets.hpp"
#include "picture/codec/sizes.hpp"

namespace sluice::fuzz {

namespace {

// Smaller than in the shop, so that an input takes milliseconds.
constexpr Extent kBox{64, 128};
constexpr std::size_t kWidths[] = {16, 32, 64};
constexpr std::size_t kMostPixels = 1'000'000;
constexpr std::size_t kMostBytes = 64 << 10;
constexpr DecodeBounds kBounds{.memory_bytes = 16 << 20, .scans = 16};

}  // namespace

/// Whatever a file holds: it is refused, or it becomes pictures that can be read again.
void picture(std::string_view bytes) {
    const auto head = read_picture_head(bytes);
    if (!head) return;
    CHECK(head->width > 0 && head->height > 0, "a picture has pixels");
    CHECK(head->orientation >= 1 && head->orientation <= 8, "EXIF knows eight orientations");
    if (std::size_t{head->width} * head->height > kMostPixels) return;
    const SizeBounds sizes{.box = kBox, .widths = kWidths, .most_bytes = kMostBytes};
    const auto made = make_sizes(bytes, *head, sizes, kBounds);
    if (!made) return;
    CHECK(!made->empty(), "a picture has a size");
    for (const auto& [extent, jpeg] : *made) {
        CHECK(extent.width <= kBox.width && extent.height <= kBox.height, "a size fits its box");
        CHECK(jpeg.size() <= kMostBytes, "a size has its bound");
        const auto again = read_picture_head(jpeg);
        CHECK(again && again->kind == PictureKind::jpeg && again->orientation == 1,
              "what was made is plain");
        CHECK(decode_jpeg(jpeg, {again->width, again->height}, extent, {}), "it can be read again");
    }
}

}  // namespace sluice::fuzz
