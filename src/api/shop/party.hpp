#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>

#include "base/address.hpp"
#include "domain/device_token.hpp"

namespace sluice::api {

/// Who counts as one when waiting for a hash: a network, or the owner of an account on known
/// devices. Two parties may have the same number by chance, which costs them a turn and nothing
/// else.
inline std::uint64_t party_of(const Address& client) {
    const auto site = site_of(client).base.bytes;
    std::uint64_t high = 0, low = 0;
    std::memcpy(&high, site.data(), sizeof high);
    std::memcpy(&low, site.data() + sizeof high, sizeof low);
    return high * 0x9e3779b97f4a7c15 ^ low;
}

/// All devices of one account are one party: each log-in can make another device, so otherwise
/// somebody could get as many turns as they have made devices.
inline std::uint64_t party_of_owner(std::string_view phone) {
    return std::hash<std::string_view>{}(phone);
}

/// The number that distinguishes devices.
inline std::uint64_t name_of(const DeviceId& device) {
    std::uint64_t name = 0;
    std::memcpy(&name, device.data(), sizeof name);
    return name;
}

}  // namespace sluice::api
