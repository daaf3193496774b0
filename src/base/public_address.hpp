#pragma once

#include <span>

#include "base/address.hpp"

namespace sluice {

/// Whether the address is one of the internet at large: not of this machine, a private network, a
/// link, a carrier's inside, a group, a documentation, a tunnel to any of these, nor where clouds
/// keep what they tell their machines.
bool is_public(const Address& address);

/// Whether requests of ours may go there: it is public, or one of `allowed`.
bool is_reachable(const Address& address, std::span<const Network> allowed);

}  // namespace sluice
