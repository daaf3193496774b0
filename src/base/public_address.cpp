#include "base/public_address.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/check.hpp"

namespace sluice {
namespace {

constexpr std::array kInside4{
    "0.0.0.0/8",        "10.0.0.0/8",      "100.64.0.0/10",  "127.0.0.0/8",    "169.254.0.0/16",
    "172.16.0.0/12",    "192.0.0.0/24",    "192.0.2.0/24",   "192.88.99.0/24", "192.168.0.0/16",
    "198.18.0.0/15",    "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4",    "240.0.0.0/4",
    "168.63.129.16/32",  // used inside a cloud, though it looks public
};

// In IPv6 only 2000::/3 is assigned, and these parts of it are not public.
constexpr auto kGivenOut6 = "2000::/3";
constexpr std::array kInside6{"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"};

template <std::size_t N>
std::vector<Network> parse_all(const std::array<const char*, N>& texts) {
    std::vector<Network> networks;
    for (const auto* text : texts) {
        const auto network = Network::parse(text);
        CHECK(network.has_value(), "the list above is well-formed");
        networks.push_back(*network);
    }
    return networks;
}

}  // namespace

bool is_public(const Address& address) {
    static const auto inside4 = parse_all(kInside4);
    static const auto inside6 = parse_all(kInside6);
    static const auto given_out6 = Network::parse(kGivenOut6).value();
    const auto holds = [&](const Network& network) { return network.contains(address); };
    if (address.is_v4()) return std::ranges::none_of(inside4, holds);
    return given_out6.contains(address) && std::ranges::none_of(inside6, holds);
}

bool is_reachable(const Address& address, std::span<const Network> allowed) {
    return is_public(address) || std::ranges::any_of(allowed, [&](const Network& network) {
               return network.contains(address);
           });
}

}  // namespace sluice
