#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>

#include "base/address.hpp"
#include "domain/device_token.hpp"

namespace sluice::api {

/// Who waits for a hash as one: a network, or the owner of an account on devices that we know.
/// Others may be taken for the same, which costs them a turn and nothing else.
inline std::uint64_t party_of(const Address& client) {
    const auto site = site_of(client).base.bytes;
    std::uint64_t high = 0, low = 0;
    std::memcpy(&high, site.data(), sizeof high);
    std::memcpy(&low, site.data() + sizeof high, sizeof low);
    return high * 0x9e3779b97f4a7c15 ^ low;
}

/// All devices of one account are one party: each log-in can make another device, and whoever made
/// themselves many would have as many turns.
inline std::uint64_t party_of_owner(std::string_view phone) {
    return std::hash<std::string_view>{}(phone);
}

/// What tells a device from others.
inline std::uint64_t name_of(const DeviceId& device) {
    std::uint64_t name = 0;
    std::memcpy(&name, device.data(), sizeof name);
    return name;
}

}  // namespace sluice::api
