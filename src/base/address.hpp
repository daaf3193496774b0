#pragma once

#include <array>
#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace sluice {

/// An IPv4 or IPv6 address in one form: IPv4 is kept as IPv6-mapped.
struct Address {
    std::array<unsigned char, 16> bytes{};

    static std::optional<Address> parse(std::string_view);
    bool is_v4() const;
    std::string text() const;

    friend auto operator<=>(const Address&, const Address&) = default;
};

/// Addresses with the same beginning, written 10.0.0.0/8, 2001:db8::/32 or as a single address.
struct Network {
    Address base;
    int prefix = 128;  // counted on the 16 bytes

    static std::optional<Network> parse(std::string_view);
    bool contains(const Address&) const;
    std::string text() const;

    /// The same with the bits after the prefix zero.
    Network canonical() const;

    friend bool operator==(const Network&, const Network&) = default;
};

/// What counts as one client: an IPv4 address, or the /64 that a household is given.
Network household_of(const Address&);

/// What one customer of a carrier gets at most: an IPv4 address, or an IPv6 /48, which has 65,536
/// households.
Network site_of(const Address&);

/// Of this machine: 127.0.0.0/8 or ::1.
bool is_loopback(const Address&);

}  // namespace sluice
