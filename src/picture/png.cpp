#include "picture/png.hpp"

#include <string_view>

#include <zlib.h>

#include "base/check.hpp"

namespace sluice {
namespace {

using namespace std::string_view_literals;

// The lines of such a picture repeat each other little: more effort hardly makes it smaller.
constexpr int kEffort = 3;

void put_number(std::string& out, std::uint32_t number) {
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(number >> shift);
}

/// Length, kind, bytes, and a checksum over kind and bytes.
void put_chunk(std::string& out, std::string_view kind, std::string_view bytes) {
    put_number(out, static_cast<std::uint32_t>(bytes.size()));
    const auto begin = out.size();
    out.append(kind).append(bytes);
    const auto* first = reinterpret_cast<const Bytef*>(out.data() + begin);
    put_number(out, static_cast<std::uint32_t>(
                        crc32(0, first, static_cast<uInt>(kind.size() + bytes.size()))));
}

std::string header(int width, int height) {
    std::string bytes;
    put_number(bytes, static_cast<std::uint32_t>(width));
    put_number(bytes, static_cast<std::uint32_t>(height));
    // Four bits for each pixel, by a palette; PNG has only one compression and one filter method.
    return bytes.append("\x04\x03\x00\x00\x00"sv);
}

std::string packed(int width, std::span<const std::uint8_t> pixels) {
    std::string rows;
    rows.reserve(pixels.size() / 2 + pixels.size() / static_cast<std::size_t>(width));
    for (std::size_t at = 0; at < pixels.size(); at += 2) {
        if (at % static_cast<std::size_t>(width) == 0) rows += '\0';  // this row has no filter
        rows += static_cast<char>(pixels[at] << 4 | pixels[at + 1]);
    }
    return rows;
}

std::string compressed(const std::string& bytes) {
    auto size = compressBound(static_cast<uLong>(bytes.size()));
    std::string out(size, '\0');
    const int result = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                                 reinterpret_cast<const Bytef*>(bytes.data()),
                                 static_cast<uLong>(bytes.size()), kEffort);
    CHECK(result == Z_OK, "there is memory to compress a small picture");
    out.resize(size);
    return out;
}

}  // namespace

std::string to_png(int width, int height, std::span<const std::uint8_t> pixels,
                   const Palette& palette) {
    CHECK(width % 2 == 0, "two pixels share a byte");
    CHECK(pixels.size() == static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
          "there is a number for each pixel");
    std::string colours;
    for (const auto& [red, green, blue] : palette)
        for (const auto part : {red, green, blue}) colours += static_cast<char>(part);
    std::string out("\x89PNG\r\n\x1a\n"sv);
    put_chunk(out, "IHDR", header(width, height));
    put_chunk(out, "PLTE", colours);
    put_chunk(out, "IDAT", compressed(packed(width, pixels)));
    put_chunk(out, "IEND", {});
    return out;
}

}  // namespace sluice
