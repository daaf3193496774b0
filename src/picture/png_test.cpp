#include "picture/png.hpp"

#include <vector>

#include <gtest/gtest.h>
#include <zlib.h>

namespace sluice {
namespace {

std::uint32_t number_at(const std::string& bytes, std::size_t at) {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < 4; ++i)
        number = number << 8 | static_cast<unsigned char>(bytes.at(at + i));
    return number;
}

struct Chunk {
    std::string kind;
    std::string bytes;
};

std::vector<Chunk> chunks_of(const std::string& png) {
    std::vector<Chunk> chunks;
    EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
    for (std::size_t at = 8; at < png.size();) {
        const auto size = number_at(png, at);
        const auto covered = png.substr(at + 4, size + 4);
        const auto sum = crc32(0, reinterpret_cast<const Bytef*>(covered.data()),
                               static_cast<uInt>(covered.size()));
        EXPECT_EQ(number_at(png, at + 8 + size), sum);
        chunks.push_back({covered.substr(0, 4), covered.substr(4)});
        at += 12 + size;
    }
    return chunks;
}

TEST(Png, HoldsTheColoursAndThePixels) {
    Palette palette{};
    palette[1] = {255, 128, 7};
    palette[15] = {1, 2, 3};
    const std::vector<std::uint8_t> pixels{0, 1, 15, 0, 1, 1, 0, 15};
    const auto chunks = chunks_of(to_png(4, 2, pixels, palette));
    ASSERT_EQ(chunks.size(), 4u);
    EXPECT_EQ(chunks[0].kind, "IHDR");
    EXPECT_EQ(chunks[0].bytes, (std::string{0, 0, 0, 4, 0, 0, 0, 2, 4, 3, 0, 0, 0}));
    EXPECT_EQ(chunks[1].kind, "PLTE");
    EXPECT_EQ(chunks[1].bytes.size(), 48u);
    EXPECT_EQ(chunks[1].bytes.substr(3, 3), "\xff\x80\x07");
    EXPECT_EQ(chunks[2].kind, "IDAT");
    std::string rows(6, '\0');
    uLongf size = rows.size();
    const auto& data = chunks[2].bytes;
    EXPECT_EQ(
        uncompress(reinterpret_cast<Bytef*>(rows.data()), &size,
                   reinterpret_cast<const Bytef*>(data.data()), static_cast<uLong>(data.size())),
        Z_OK);
    EXPECT_EQ(size, rows.size());
    EXPECT_EQ(rows, (std::string{0, 0x01, '\xf0', 0, 0x11, 0x0f}));
    EXPECT_EQ(chunks[3].kind, "IEND");
}

}  // namespace
}  // namespace sluice
