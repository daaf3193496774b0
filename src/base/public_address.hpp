#pragma once

#include <span>

#include "base/address.hpp"

namespace sluice {

/// Whether the address is public. Not public are: this machine, private and link-local networks,
/// carrier-grade NAT, multicast, documentation, tunnels to any of these, and the metadata addresses
/// of clouds.
bool is_public(const Address& address);

/// Whether requests of ours may go there: it is public, or one of `allowed`.
bool is_reachable(const Address& address, std::span<const Network> allowed);

}  // namespace sluice
