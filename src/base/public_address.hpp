#pragma once

#include <span>

#include "base/address.hpp"

namespace sluice {

/// Whether the address is public. Not public are: this machine, private and link-local networks,
/// carrier-grade NAT, multicast, documentation, tunnels to any of these, and the metadata addresses
/// of clouds.
bool is_public(const Address& address);

/// Whether our requests may go there: the address is public, or in one of `allowed`.
bool is_reachable(const Address& address, std::span<const Network> allowed);

}  // namespace sluice
