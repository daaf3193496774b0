#include "picture/codec/sizes.hpp"

#include <cstdlib>
#include <tuple>

#include <gtest/gtest.h>

#include "picture/codec/png_reader.hpp"
#include "support/sample_pictures.hpp"

namespace sluice {
namespace {

using namespace testing_support;

constexpr std::size_t kWidths[] = {10, 20, 40};
constexpr SizeBounds kSizes{.box = {40, 80}, .widths = kWidths, .most_bytes = 1 << 20};

auto made_of(const std::string& file, const DecodeBounds& bounds = {},
             const SizeBounds& sizes = kSizes) {
    using Made = std::expected<std::vector<EncodedPicture>, PictureFlaw>;
    const auto head = read_picture_head(file);
    return head ? make_sizes(file, *head, sizes, bounds) : Made(std::unexpected(head.error()));
}

std::vector<Extent> extents_of(const std::string& file) {
    std::vector<Extent> extents;
    const auto made = made_of(file);
    if (!made) return extents;
    for (const auto& [extent, jpeg] : *made) {
        const auto head = read_picture_head(jpeg);
        EXPECT_TRUE(head && head->width == extent.width && head->height == extent.height);
        extents.push_back(extent);
    }
    return extents;
}

/// Of the largest size.
Canvas canvas_of(const std::string& file) {
    const auto made = made_of(file);
    if (!made) return {};
    const auto& [extent, jpeg] = made->back();
    return decode_jpeg(jpeg, extent, extent, {}).value();
}

char colour_at(const Canvas& canvas, std::size_t x, std::size_t y) {
    if (canvas.pixels.empty()) return '?';
    const auto pixel = canvas.row(y).subspan(x * Canvas::kChannels, Canvas::kChannels);
    const auto high = [&](int c) { return pixel[static_cast<std::size_t>(c)] > 140; };
    if (high(0) && high(1) && high(2)) return 'w';
    if (high(0)) return 'r';
    return high(2) ? 'b' : 'k';
}

/// The colours at the left, right, top and bottom edge, in the middle of each.
std::string edges_of(const std::string& file) {
    const auto canvas = canvas_of(file);
    const auto [width, height] = canvas.extent;
    if (width == 0) return "";
    return {colour_at(canvas, 1, height / 2), colour_at(canvas, width - 2, height / 2),
            colour_at(canvas, width / 2, 1), colour_at(canvas, width / 2, height - 2)};
}

PictureFlaw flaw_of(const std::string& file, const DecodeBounds& bounds = {}) {
    const auto made = made_of(file, bounds);
    EXPECT_FALSE(made);
    return made ? PictureFlaw{99} : made.error();
}

TEST(PictureSizes, AreThoseThatAreSmallerAndItsOwn) {
    EXPECT_EQ(extents_of(sample_jpeg({.width = 100, .height = 50})),
              (std::vector<Extent>{{10, 5}, {20, 10}, {40, 20}}));
    EXPECT_EQ(extents_of(sample_jpeg({.width = 30, .height = 30})),
              (std::vector<Extent>{{10, 10}, {20, 20}, {30, 30}}));
    EXPECT_EQ(extents_of(sample_png({.width = 20, .height = 3})),
              (std::vector<Extent>{{10, 2}, {20, 3}}));
    EXPECT_EQ(extents_of(sample_png({.width = 1, .height = 1})), (std::vector<Extent>{{1, 1}}));
}

TEST(PictureSizes, ALongPictureFitsTheBox) {
    EXPECT_EQ(extents_of(sample_jpeg({.width = 100, .height = 1000})),
              (std::vector<Extent>{{8, 80}}));
    EXPECT_EQ(extents_of(sample_jpeg({.width = 1, .height = 1000})),
              (std::vector<Extent>{{1, 80}}));
    EXPECT_EQ(extents_of(sample_png({.width = 3000, .height = 2})),
              (std::vector<Extent>{{10, 1}, {20, 1}, {40, 1}}));
}

TEST(PictureSizes, EveryKindOfJpegIsRead) {
    for (const auto width : {37U, 100U, 700U}) {
        EXPECT_EQ(edges_of(sample_jpeg({.width = width, .height = 40})).substr(0, 2), "rb");
        EXPECT_EQ(
            edges_of(sample_jpeg({.width = width, .height = 40, .progressive = true})).substr(0, 2),
            "rb");
        EXPECT_EQ(
            edges_of(sample_jpeg({.width = width, .height = 40, .colours = JpegColours::grey}))
                .substr(0, 2),
            "kw");
    }
}

TEST(PictureSizes, EveryKindOfPngIsRead) {
    for (const bool interlaced : {false, true}) {
        for (const int depth : {8, 16}) {
            EXPECT_EQ(edges_of(sample_png({.depth = depth, .interlaced = interlaced})).substr(0, 2),
                      "rb");
            EXPECT_EQ(edges_of(sample_png({.colours = PngColours::rgb_and_alpha,
                                           .depth = depth,
                                           .interlaced = interlaced}))
                          .substr(0, 2),
                      "wb");
        }
        for (const int depth : {1, 2, 4, 8, 16}) {
            SamplePng grey{.colours = PngColours::grey, .depth = depth, .interlaced = interlaced};
            EXPECT_EQ(edges_of(sample_png(grey)).substr(0, 2), "kw");
            grey.has_transparent_colour = true;
            EXPECT_EQ(edges_of(sample_png(grey)).substr(0, 2), "ww");
        }
        for (const int depth : {1, 2, 4, 8}) {
            SamplePng some{
                .colours = PngColours::palette, .depth = depth, .interlaced = interlaced};
            EXPECT_EQ(edges_of(sample_png(some)).substr(0, 2), "rb");
            some.has_transparent_colour = true;
            EXPECT_EQ(edges_of(sample_png(some)).substr(0, 2), "wb");
        }
    }
}

// Stored with red on the left: where red and blue have to be when it is shown.
TEST(PictureSizes, IsTurnedAsItsExifDemands) {
    const std::tuple<int, const char*, Extent> cases[] = {
        {0, "rb", {40, 20}}, {1, "rb", {40, 20}}, {2, "br", {40, 20}}, {3, "br", {40, 20}},
        {4, "rb", {40, 20}}, {5, "rb", {20, 40}}, {6, "rb", {20, 40}}, {7, "br", {20, 40}},
        {8, "br", {20, 40}}, {9, "rb", {40, 20}},
    };
    for (const auto& [orientation, colours, extent] : cases) {
        SCOPED_TRACE(orientation);
        const auto file = sample_jpeg({.orientation = orientation});
        const auto edges = edges_of(file);
        EXPECT_EQ(extent.width > extent.height ? edges.substr(0, 2) : edges.substr(2), colours);
        EXPECT_EQ(extents_of(file).back(), extent);
    }
}

TEST(PictureSizes, NothingButThePictureIsKept) {
    const auto file = sample_jpeg({.orientation = 6});
    EXPECT_NE(file.find("Exif"), file.npos);
    const auto made = made_of(file);
    ASSERT_TRUE(made);
    for (const auto& [extent, jpeg] : *made) EXPECT_EQ(jpeg.find("Exif"), jpeg.npos);
}

TEST(PictureSizes, AFileThatIsCutOffIsRefused) {
    for (const auto& file : {sample_jpeg({}), sample_jpeg({.progressive = true}), sample_png({}),
                             sample_png({.interlaced = true}), sample_jpeg({.orientation = 6})})
        for (std::size_t length = 9; length < file.size() - 2; length += 7)
            EXPECT_EQ(flaw_of(file.substr(0, length)), PictureFlaw::broken) << length;
}

TEST(PictureSizes, ADamagedFileIsRefused) {
    auto png = sample_png({});
    png[png.find("IDAT") + 12] ^= 1;
    EXPECT_EQ(flaw_of(png), PictureFlaw::broken);
    auto jpeg = sample_jpeg({.width = 64, .height = 64});
    jpeg.replace(jpeg.size() - 12, 4, "\xff\xd8\xff\xd8");
    EXPECT_EQ(flaw_of(jpeg), PictureFlaw::broken);
    EXPECT_EQ(flaw_of(with_extent(sample_jpeg({}), 400, 400)), PictureFlaw::broken);
    EXPECT_EQ(flaw_of(with_extent(sample_png({}), 400, 400)), PictureFlaw::broken);
}

TEST(PictureSizes, OtherFilesAreNoPictures) {
    for (const char* file : {"", "GIF89a", "RIFF\x10\x10\x10\x10WEBPVP8 ", "<svg/>", "\xff\xd8"})
        EXPECT_EQ(flaw_of(file), PictureFlaw::no_picture);
    EXPECT_EQ(flaw_of(sample_jpeg({.colours = JpegColours::cmyk})), PictureFlaw::colours);
}

TEST(PictureSizes, TheHeadIsReadWithoutThePixels) {
    const auto bomb = read_picture_head(with_extent(sample_png({}), 30'000, 30'000));
    EXPECT_EQ(bomb, (PictureHead{.kind = PictureKind::png, .width = 30'000, .height = 30'000}));
    const auto jpeg =
        read_picture_head(with_extent(sample_jpeg({.orientation = 3}), 65'535, 65'534));
    EXPECT_EQ(jpeg,
              (PictureHead{
                  .kind = PictureKind::jpeg, .width = 65'535, .height = 65'534, .orientation = 3}));
    EXPECT_EQ(read_picture_head(with_extent(sample_png({}), 0, 5)),
              std::unexpected(PictureFlaw::broken));
}

TEST(PictureSizes, ManyScansAreRefused) {
    const auto few = sample_jpeg({.progressive = true, .scans = 30});
    EXPECT_TRUE(made_of(few));
    EXPECT_EQ(flaw_of(sample_jpeg({.progressive = true, .scans = 120})), PictureFlaw::too_complex);
}

TEST(PictureSizes, TooMuchMemoryIsRefused) {
    const DecodeBounds bounds{.memory_bytes = 1 << 20, .scans = 64};
    const auto progressive = sample_jpeg({.width = 1000, .height = 1000, .progressive = true});
    EXPECT_EQ(flaw_of(progressive, bounds), PictureFlaw::too_complex);
    EXPECT_TRUE(made_of(progressive));
    // Without interlacing only a row is in memory.
    EXPECT_TRUE(made_of(sample_jpeg({.width = 1000, .height = 1000}), bounds));
    EXPECT_TRUE(made_of(sample_png({.width = 1000, .height = 1000}), bounds));
    EXPECT_EQ(flaw_of(sample_png({.width = 1000, .height = 1000, .interlaced = true}), bounds),
              PictureFlaw::too_complex);
}

TEST(PictureSizes, NoiseIsCodedMoreCoarselyUntilItFits) {
    Canvas noise{{1280, 2560}, std::vector<std::uint8_t>(std::size_t{1280} * 2560 * 3)};
    std::uint32_t state = 1;
    for (auto& value : noise.pixels) {
        state = state * 1'664'525 + 1'013'904'223;
        value = static_cast<std::uint8_t>(state >> 24);
    }
    const auto file = encode_jpeg(noise, 95);
    const SizeBounds sizes{.box = {1280, 2560}, .widths = {}, .most_bytes = 1 << 20};
    const auto made = made_of(file, {}, sizes);
    ASSERT_TRUE(made);
    EXPECT_LE(made->back().jpeg.size(), 1U << 20);
    EXPECT_GT(encode_jpeg(noise, 82).size(), 1U << 20);
}

}  // namespace
}  // namespace sluice
