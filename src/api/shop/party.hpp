#pragma once

#include <cstdint>
#include <cstring>

#include "base/address.hpp"
#include "domain/device_token.hpp"

namespace sluice::api {

/// Who waits for a hash as one: a network, or a device that we know. Others may be taken for the
/// same, which costs them a turn and nothing else.
inline std::uint64_t party_of(const Address& client) {
    const auto site = site_of(client).base.bytes;
    std::uint64_t high = 0, low = 0;
    std::memcpy(&high, site.data(), sizeof high);
    std::memcpy(&low, site.data() + sizeof high, sizeof low);
    return high * 0x9e3779b97f4a7c15 ^ low;
}

inline std::uint64_t party_of(const DeviceId& device) {
    std::uint64_t party = 0;
    std::memcpy(&party, device.data(), sizeof party);
    return party;
}

}  // namespace sluice::api
