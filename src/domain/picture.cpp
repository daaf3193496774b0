#include "domain/picture.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <sodium.h>

#include "base/encoding.hpp"

namespace sluice {
namespace {

constexpr std::string_view kFolder = "/pictures/";
constexpr std::string_view kEnding = ".jpg";

}  // namespace

PictureHash hash_picture(std::string_view file) {
    PictureHash hash;
    static_assert(hash.size() == crypto_hash_sha256_BYTES);
    crypto_hash_sha256(hash.data(), bytes_of(file).data(), file.size());
    return hash;
}

std::int64_t Picture::bytes() const {
    std::size_t all = 0;
    for (const auto& size : sizes) all += size.jpeg.size();
    return static_cast<std::int64_t>(all);
}

std::optional<Complaint> check_picture_extent(std::uint32_t width, std::uint32_t height) {
    const auto pixels = std::uint64_t{width} * height;
    if (std::max(width, height) <= kMostPictureSide && pixels <= kMostPicturePixels)
        return std::nullopt;
    return Complaint(Rule::picture_too_large, width, height, kMostPictureSide,
                     kMostPicturePixels / 1'000'000);
}

std::string address_of(const PictureName& name) {
    return std::string(kFolder) + to_hex(name.hash) + "/" + std::to_string(name.width) +
           std::string(kEnding);
}

std::optional<PictureHash> parse_picture_hash(std::string_view text) {
    const auto bytes = from_hex(text);
    PictureHash hash;
    if (!bytes || bytes->size() != hash.size()) return std::nullopt;
    std::memcpy(hash.data(), bytes->data(), hash.size());
    if (to_hex(hash) != text) return std::nullopt;  // in capitals
    return hash;
}

std::optional<PictureName> parse_picture_name(std::string_view hash, std::string_view file) {
    const auto parsed = parse_picture_hash(hash);
    if (!parsed || !file.ends_with(kEnding)) return std::nullopt;
    file.remove_suffix(kEnding.size());
    std::int64_t width = 0;
    const auto [end, error] = std::from_chars(file.data(), file.data() + file.size(), width);
    const auto most = static_cast<std::int64_t>(kPictureWidths.back());
    if (error != std::errc{} || end != file.data() + file.size() || width < 1 || width > most ||
        file.front() == '0')
        return std::nullopt;
    return PictureName{*parsed, width};
}

std::optional<PictureName> parse_picture_address(std::string_view url) {
    if (!url.starts_with(kFolder)) return std::nullopt;
    url.remove_prefix(kFolder.size());
    const auto slash = url.find('/');
    if (slash == url.npos) return std::nullopt;
    return parse_picture_name(url.substr(0, slash), url.substr(slash + 1));
}

std::vector<PictureHash> pictures_shown(std::string_view image_url,
                                        const std::vector<std::string>& pictures) {
    std::vector<PictureHash> shown;
    const auto add = [&](std::string_view url) {
        if (const auto name = parse_picture_address(url)) shown.push_back(name->hash);
    };
    add(image_url);
    for (const auto& url : pictures) add(url);
    std::ranges::sort(shown);
    const auto again = std::ranges::unique(shown);
    shown.erase(again.begin(), again.end());
    return shown;
}

}  // namespace sluice
