#include "support/sample_pictures.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <jpeglib.h>
#include <png.h>
#include <zlib.h>

#include "base/check.hpp"

namespace sluice::testing_support {
namespace {

using namespace std::string_view_literals;

void put_big_endian(std::string& bytes, std::size_t at, unsigned number, int size) {
    for (int i = 0; i < size; ++i)
        bytes[at + static_cast<std::size_t>(i)] = static_cast<char>(number >> 8 * (size - 1 - i));
}

std::string exif_of(int orientation) {
    std::string segment(
        "\xff\xe1\0\x22"
        "Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0"sv);
    segment[29] = static_cast<char>(orientation);
    return segment;
}

std::vector<unsigned char> row_of(const SampleJpeg& wish) {
    static constexpr std::array<std::array<unsigned char, 4>, 3> kLeft{
        {{220, 20, 20, 0}, {0, 0, 0, 0}, {0, 200, 200, 0}}};
    static constexpr std::array<std::array<unsigned char, 4>, 3> kRight{
        {{20, 20, 220, 0}, {255, 0, 0, 0}, {200, 200, 0, 0}}};
    const auto kind = static_cast<std::size_t>(wish.colours);
    const std::size_t channels = std::array<std::size_t, 3>{3, 1, 4}[kind];
    std::vector<unsigned char> row;
    for (unsigned x = 0; x < wish.width; ++x) {
        const auto& pixel = 2 * x < wish.width ? kLeft[kind] : kRight[kind];
        row.insert(row.end(), pixel.begin(), pixel.begin() + static_cast<std::ptrdiff_t>(channels));
    }
    return row;
}

/// The colours first, then one bit of a coefficient after the other, again and again.
std::vector<jpeg_scan_info> many_scans(int count, int components) {
    std::vector<jpeg_scan_info> scans;
    scans.push_back({components, {0, 1, 2}, 0, 0, 0, 0});
    for (int i = 0; i < count; ++i)
        scans.push_back(
            {1, {i % components, 0, 0, 0}, 1 + i / components, 1 + i / components, 0, 0});
    return scans;
}

}  // namespace

std::string sample_jpeg(const SampleJpeg& wish) {
    jpeg_compress_struct codec{};
    jpeg_error_mgr errors{};
    codec.err = jpeg_std_error(&errors);
    jpeg_create_compress(&codec);
    unsigned char* bytes = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&codec, &bytes, &size);
    auto row = row_of(wish);
    codec.image_width = wish.width;
    codec.image_height = wish.height;
    codec.input_components = static_cast<int>(row.size() / wish.width);
    codec.in_color_space =
        std::array{JCS_RGB, JCS_GRAYSCALE, JCS_CMYK}[static_cast<std::size_t>(wish.colours)];
    jpeg_set_defaults(&codec);
    if (wish.progressive) jpeg_simple_progression(&codec);
    const auto scans = many_scans(wish.scans, codec.num_components);
    if (wish.scans > 0) {
        codec.scan_info = scans.data();
        codec.num_scans = static_cast<int>(scans.size());
    }
    jpeg_start_compress(&codec, TRUE);
    JSAMPROW rows[] = {row.data()};
    for (unsigned y = 0; y < wish.height; ++y) jpeg_write_scanlines(&codec, rows, 1);
    jpeg_finish_compress(&codec);
    std::string file(reinterpret_cast<const char*>(bytes), size);
    jpeg_destroy_compress(&codec);
    std::free(bytes);
    if (wish.orientation > 0) file.insert(2, exif_of(wish.orientation));
    return file;
}

std::string sample_png(const SamplePng& wish) {
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    std::string file;
    png_set_write_fn(
        png, &file,
        [](png_structp writer, png_bytep bytes, std::size_t size) {
            static_cast<std::string*>(png_get_io_ptr(writer))
                ->append(reinterpret_cast<const char*>(bytes), size);
        },
        nullptr);
    static constexpr std::array kTypes{PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_GRAY,
                                       PNG_COLOR_TYPE_PALETTE, PNG_COLOR_TYPE_RGB_ALPHA};
    const int type = kTypes[static_cast<std::size_t>(wish.colours)];
    png_set_IHDR(png, info, wish.width, wish.height, wish.depth, type,
                 wish.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    const std::array<png_color, 2> palette{{{220, 20, 20}, {20, 20, 220}}};
    if (type == PNG_COLOR_TYPE_PALETTE) png_set_PLTE(png, info, palette.data(), 2);
    const png_byte transparent[] = {0};
    png_color_16 black{};
    if (wish.has_transparent_colour) png_set_tRNS(png, info, transparent, 1, &black);
    png_write_info(png, info);
    png_set_packing(png);
    const std::size_t channels =
        std::array<std::size_t, 4>{3, 1, 1, 4}[static_cast<std::size_t>(wish.colours)];
    std::vector<unsigned char> row;
    for (unsigned x = 0; x < wish.width; ++x) {
        const bool left = 2 * x < wish.width;
        const unsigned char most =
            wish.depth < 8 ? static_cast<unsigned char>((1 << wish.depth) - 1) : 255;
        const std::array<unsigned char, 4> colour =
            left ? std::array<unsigned char, 4>{220, 20, 20, 0}
                 : std::array<unsigned char, 4>{20, 20, 220, 255};
        for (std::size_t c = 0; c < channels; ++c) {
            unsigned char value = colour[c];
            if (wish.colours == PngColours::grey) value = left ? 0 : most;
            if (wish.colours == PngColours::palette) value = left ? 0 : 1;
            row.push_back(value);
            if (wish.depth == 16) row.push_back(value);
        }
    }
    std::vector<png_bytep> rows(wish.height, row.data());
    png_write_image(png, rows.data());
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return file;
}

std::string with_extent(std::string file, unsigned width, unsigned height) {
    if (file.starts_with("\x89PNG")) {
        put_big_endian(file, 16, width, 4);
        put_big_endian(file, 20, height, 4);
        const auto sum = crc32(0, reinterpret_cast<const Bytef*>(file.data()) + 12, 17);
        put_big_endian(file, 29, static_cast<unsigned>(sum), 4);
        return file;
    }
    for (std::size_t at = 2; at + 9 < file.size();) {
        const auto marker = static_cast<unsigned char>(file[at + 1]);
        const auto length = static_cast<unsigned char>(file[at + 2]) << 8 |
                            static_cast<unsigned char>(file[at + 3]);
        if (marker >= 0xc0 && marker <= 0xc2) {
            put_big_endian(file, at + 5, height, 2);
            put_big_endian(file, at + 7, width, 2);
            return file;
        }
        at += 2 + static_cast<std::size_t>(length);
    }
    CHECK(false, "a JPEG has a frame");
}

}  // namespace sluice::testing_support
