#include "domain/device_token.hpp"

#include <algorithm>

#include "base/encoding.hpp"
#include "base/keyed_hash.hpp"

namespace sluice {
namespace {

constexpr std::size_t kLongestPhone = 32;
constexpr std::size_t kTokenBytes = sizeof(DeviceId) + 16;
static_assert(kTokenBytes % 3 == 0, "so that base64 has no slack bits");

}  // namespace

DeviceTokens::Mac DeviceTokens::mac_of(const DeviceId& device, std::string_view phone) const {
    std::array<unsigned char, sizeof(DeviceId) + 1 + kLongestPhone> text{};
    auto end = std::ranges::copy(device, text.begin()).out;
    *end++ = static_cast<unsigned char>(phone.size());
    std::ranges::copy(phone.substr(0, kLongestPhone), end);
    return keyed_hash<kMacBytes>(key_, text);
}

std::string DeviceTokens::make(const DeviceId& device, std::string_view phone) const {
    std::array<unsigned char, kTokenBytes> bytes;
    const auto mac = mac_of(device, phone);
    std::ranges::copy(mac, std::ranges::copy(device, bytes.begin()).out);
    return to_base64url(bytes);
}

std::optional<DeviceId> DeviceTokens::recognise(std::string_view text,
                                                std::string_view phone) const {
    std::array<unsigned char, kTokenBytes> bytes;
    if (phone.size() > kLongestPhone || text.size() != kTokenBytes / 3 * 4) return std::nullopt;
    if (!from_base64url(text, bytes)) return std::nullopt;
    DeviceId device;
    std::copy_n(bytes.begin(), device.size(), device.begin());
    const auto mac = mac_of(device, phone);
    if (!is_same_mac(mac.data(), bytes.data() + device.size())) return std::nullopt;
    return device;
}

}  // namespace sluice
