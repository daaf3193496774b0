#include "sandbox/bill_names.hpp"

#include <algorithm>
#include <span>

#include <sodium.h>

#include "base/encoding.hpp"

namespace sluice::sandbox {
namespace {

/// The key also signs what the sandbox tells the shop.
constexpr std::string_view kPurpose = "bill";

}  // namespace

std::string BillNames::make(Random& random) const {
    std::array<unsigned char, kRandom + kMac> name;
    random.fill(std::span(name).first<kRandom>());
    std::ranges::copy(mac_of(name.data()), name.begin() + kRandom);
    return to_base64url(name);
}

bool BillNames::is_ours(std::string_view name) const {
    std::array<unsigned char, kRandom + kMac> bytes;
    std::size_t length = 0;
    const bool whole =
        name.size() == bytes.size() * 4 / 3 &&
        sodium_base642bin(bytes.data(), bytes.size(), name.data(), name.size(), nullptr, &length,
                          nullptr, sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0 &&
        length == bytes.size();
    if (!whole) return false;
    const auto mac = mac_of(bytes.data());
    return sodium_memcmp(mac.data(), bytes.data() + kRandom, mac.size()) == 0;
}

std::array<unsigned char, BillNames::kMac> BillNames::mac_of(const unsigned char* random) const {
    crypto_generichash_state state;
    std::array<unsigned char, crypto_generichash_BYTES> digest;
    crypto_generichash_init(&state, key_.data(), key_.size(), digest.size());
    crypto_generichash_update(&state, bytes_of(kPurpose).data(), kPurpose.size());
    crypto_generichash_update(&state, random, kRandom);
    crypto_generichash_final(&state, digest.data(), digest.size());
    std::array<unsigned char, kMac> mac;
    std::copy_n(digest.begin(), kMac, mac.begin());
    return mac;
}

}  // namespace sluice::sandbox
