#include "base/address.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <arpa/inet.h>

namespace sluice {
namespace {

constexpr std::array<unsigned char, 12> kMappedPrefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

bool bits_match(const Address& a, const Address& b, int bits) {
    const auto whole = static_cast<std::size_t>(bits / 8);
    if (std::memcmp(a.bytes.data(), b.bytes.data(), whole) != 0) return false;
    if (bits % 8 == 0) return true;
    const auto mask = static_cast<unsigned char>(0xff << (8 - bits % 8));
    return (a.bytes[whole] & mask) == (b.bytes[whole] & mask);
}

}  // namespace

std::optional<Address> Address::parse(std::string_view text) {
    if (text.size() >= INET6_ADDRSTRLEN) return std::nullopt;
    char terminated[INET6_ADDRSTRLEN] = {};
    std::ranges::copy(text, terminated);
    Address address;
    if (inet_pton(AF_INET6, terminated, address.bytes.data()) == 1) return address;
    if (inet_pton(AF_INET, terminated, address.bytes.data() + 12) != 1) return std::nullopt;
    std::ranges::copy(kMappedPrefix, address.bytes.begin());
    return address;
}

bool Address::is_v4() const {
    return std::equal(kMappedPrefix.begin(), kMappedPrefix.end(), bytes.begin());
}

std::string Address::text() const {
    char text[INET6_ADDRSTRLEN];
    if (is_v4())
        inet_ntop(AF_INET, bytes.data() + 12, text, sizeof text);
    else
        inet_ntop(AF_INET6, bytes.data(), text, sizeof text);
    return text;
}

std::optional<Network> Network::parse(std::string_view text) {
    const auto slash = text.find('/');
    const auto base = Address::parse(text.substr(0, slash));
    if (!base) return std::nullopt;
    if (slash == text.npos) return Network{*base, 128};

    const auto digits = text.substr(slash + 1);
    int prefix = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), prefix);
    const int widest = base->is_v4() ? 32 : 128;
    if (error != std::errc{} || end != digits.data() + digits.size() || prefix < 0 ||
        prefix > widest)
        return std::nullopt;
    return Network{*base, base->is_v4() ? prefix + 96 : prefix};
}

bool Network::contains(const Address& address) const {
    return bits_match(base, address, prefix);
}

Network Network::canonical() const {
    Network result = *this;
    for (int bit = prefix; bit < 128; ++bit) {
        const auto mask = static_cast<unsigned char>(0x80 >> bit % 8);
        result.base.bytes[static_cast<std::size_t>(bit / 8)] &= static_cast<unsigned char>(~mask);
    }
    return result;
}

Network household_of(const Address& address) {
    return Network{address, address.is_v4() ? 128 : 64}.canonical();
}

Network site_of(const Address& address) {
    return Network{address, address.is_v4() ? 128 : 48}.canonical();
}

std::string Network::text() const {
    return base.text() + '/' + std::to_string(base.is_v4() ? prefix - 96 : prefix);
}

}  // namespace sluice
