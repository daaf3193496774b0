#pragma once

#include <array>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/timestamp.hpp"
#include "domain/item.hpp"

namespace sluice {

// A picture that an operator has uploaded. Its address is made of the hash of what was uploaded, so
// the same file is one picture, and what an address shows never changes.

inline constexpr std::size_t kMostUploadBytes = 8u << 20;
inline constexpr std::uint32_t kMostPictureSide = 16'384;
inline constexpr std::uint64_t kMostPicturePixels = 32'000'000;

/// A picture is kept in those of these widths that are smaller than it is, and in its own one,
/// which is at most the last of them.
inline constexpr std::array<std::size_t, 3> kPictureWidths{320, 640, 1280};
/// Long pictures are made narrower, so that the largest size has this many pixels at most.
inline constexpr std::size_t kMostPictureHeight = 2 * kPictureWidths.back();
inline constexpr std::size_t kMostSizeBytes = 1u << 20;

/// All of them together, whether an item shows them or not.
struct PictureBounds {
    std::int64_t pictures = 20'000;
    std::int64_t bytes = std::int64_t{8} << 30;
};

/// Pictures that no item shows are kept so long.
inline constexpr std::chrono::days kPictureKept{7};

using PictureHash = std::array<unsigned char, 32>;  // SHA-256
PictureHash hash_picture(std::string_view file);

/// One size of a picture.
struct PictureSize {
    std::int64_t width = 0;
    std::int64_t height = 0;
    std::string jpeg;
};

struct Picture {
    PictureHash hash{};
    std::vector<PictureSize> sizes;  // the largest last

    std::int64_t bytes() const;
};

/// What is wrong with a picture of that many pixels, before any of them is looked at.
std::optional<Complaint> check_picture_extent(std::uint32_t width, std::uint32_t height);

/// One size, as it is asked for.
struct PictureName {
    PictureHash hash{};
    std::int64_t width = 0;

    friend auto operator<=>(const PictureName&, const PictureName&) = default;
};
/// /pictures/{hash}/{width}.jpg
std::string address_of(const PictureName& name);
/// The two parts of such an address, in their only spelling.
std::optional<PictureHash> parse_picture_hash(std::string_view text);
std::optional<PictureName> parse_picture_name(std::string_view hash, std::string_view file);
/// nullopt for the address of any other picture.
std::optional<PictureName> parse_picture_address(std::string_view url);

/// Our pictures among those that an item shows; `pictures` as Item has them.
std::vector<PictureHash> pictures_shown(std::string_view image_url,
                                        const std::vector<std::string>& pictures);

}  // namespace sluice
