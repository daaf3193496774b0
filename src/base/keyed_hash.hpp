#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include <sodium.h>

namespace sluice {

/// BLAKE2b over key and text together, which fit into one block: half the time of the keyed mode,
/// which spends a block on the key alone. The text has a fixed length for each use of a key, so
/// that no two lists of fields give the same text. docs/adr/0025.
template <std::size_t kOut, std::size_t kText>
std::array<unsigned char, kOut> keyed_hash(const std::array<unsigned char, 32>& key,
                                           const std::array<unsigned char, kText>& text) {
    constexpr std::size_t kBlock = 128;
    static_assert(sizeof key + kText <= kBlock, "one block");
    std::array<unsigned char, sizeof key + kText> block;
    std::memcpy(block.data(), key.data(), key.size());
    std::memcpy(block.data() + key.size(), text.data(), text.size());
    std::array<unsigned char, kOut> digest;
    crypto_generichash(digest.data(), digest.size(), block.data(), block.size(), nullptr, 0);
    return digest;
}

/// Whether two MACs are equal. Takes the same time in both cases.
inline bool is_same_mac(const unsigned char* one, const unsigned char* other) {
    std::array<std::uint64_t, 2> a, b;
    std::memcpy(a.data(), one, sizeof a);
    std::memcpy(b.data(), other, sizeof b);
    return ((a[0] ^ b[0]) | (a[1] ^ b[1])) == 0;
}

}  // namespace sluice
