#include "picture/codec/head.hpp"

namespace sluice {
namespace {

using namespace std::string_view_literals;

constexpr auto kPngStart = "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"sv;
constexpr auto kJpegStart = "\xff\xd8\xff"sv;
constexpr auto kExifStart = "Exif\0\0"sv;

std::uint32_t byte_at(std::string_view bytes, std::size_t at) {
    return static_cast<unsigned char>(bytes[at]);
}

/// The first byte is the largest part of the number, or the smallest.
std::uint32_t number_at(std::string_view bytes, std::size_t at, std::size_t size,
                        bool largest_first = true) {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < size; ++i)
        number = number << 8 | byte_at(bytes, at + (largest_first ? i : size - 1 - i));
    return number;
}

std::expected<PictureHead, PictureFlaw> checked(PictureHead head) {
    if (head.width == 0 || head.height == 0) return std::unexpected(PictureFlaw::broken);
    return head;
}

/// The tag 0x0112 of the first directory of an EXIF block; 1 when it is not there or makes no
/// sense, as cameras and pages take it.
int read_orientation(std::string_view exif) {
    constexpr std::size_t kEntry = 12;
    if (exif.size() < 8) return 1;
    const bool largest_first = exif.starts_with("MM");
    if (!largest_first && !exif.starts_with("II")) return 1;
    const std::size_t directory = number_at(exif, 4, 4, largest_first);
    if (directory > exif.size() - 2) return 1;
    const auto entries = number_at(exif, directory, 2, largest_first);
    for (std::size_t i = 0; i < entries; ++i) {
        const auto at = directory + 2 + i * kEntry;
        if (at + kEntry > exif.size()) return 1;
        if (number_at(exif, at, 2, largest_first) != 0x0112) continue;
        const auto value = number_at(exif, at + 8, 2, largest_first);
        return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
    }
    return 1;
}

/// Baseline, extended and progressive. Nobody makes the others (lossless, hierarchical,
/// arithmetic), and browsers do not show them.
bool is_frame(std::uint32_t marker) {
    return marker >= 0xc0 && marker <= 0xc2;
}
bool is_other_frame(std::uint32_t marker) {
    return marker >= 0xc3 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

/// Walks over the segments before the picture. Each has a length, so the cost is their number.
std::expected<PictureHead, PictureFlaw> read_jpeg_head(std::string_view file) {
    PictureHead head{.kind = PictureKind::jpeg};
    for (std::size_t at = 2; at + 4 <= file.size();) {
        if (byte_at(file, at) != 0xff) break;
        const auto marker = byte_at(file, at + 1);
        if (marker == 0xff) {  // filling
            ++at;
            continue;
        }
        const std::size_t length = number_at(file, at + 2, 2);
        if (length < 2 || length > file.size() - at - 2) break;
        const auto body = file.substr(at + 4, length - 2);
        if (is_other_frame(marker)) return std::unexpected(PictureFlaw::colours);
        if (is_frame(marker)) {
            if (body.size() < 6) break;
            head.height = number_at(body, 1, 2);
            head.width = number_at(body, 3, 2);
            return checked(head);
        }
        if (marker == 0xe1 && body.starts_with(kExifStart))
            head.orientation = read_orientation(body.substr(kExifStart.size()));
        if (marker == 0xda || marker == 0xd9) break;  // pixels without a frame
        at += 2 + length;
    }
    return std::unexpected(PictureFlaw::broken);
}

}  // namespace

std::expected<PictureHead, PictureFlaw> read_picture_head(std::string_view file) {
    if (file.starts_with(kJpegStart)) return read_jpeg_head(file);
    if (!file.starts_with(kPngStart.substr(0, 8))) return std::unexpected(PictureFlaw::no_picture);
    if (!file.starts_with(kPngStart) || file.size() < kPngStart.size() + 13)
        return std::unexpected(PictureFlaw::broken);
    return checked({.kind = PictureKind::png,
                    .width = number_at(file, kPngStart.size(), 4),
                    .height = number_at(file, kPngStart.size() + 4, 4)});
}

}  // namespace sluice
