#include "domain/pass.hpp"

#include <cstring>

#include "base/encoding.hpp"
#include "base/keyed_hash.hpp"

namespace sluice {
namespace {

// key id (2), expiry (6, milliseconds), both big-endian, nonce (8), MAC (16): 32 bytes, 43 letters.
constexpr std::size_t kPassHead = 16;
constexpr std::size_t kPassBytes = kPassHead + sizeof(Mark);
constexpr std::size_t kLength = 43;

Mark mac(const PassKey& key, UserId buyer, SaleId sale, const unsigned char* head) {
    std::array<unsigned char, kPassHead + sizeof buyer.value + sizeof sale.value> text;
    auto* at = text.data();
    const auto add = [&at](const void* from, std::size_t size) {
        std::memcpy(at, from, size);
        at += size;
    };
    add(head, kPassHead);
    add(&buyer.value, sizeof buyer.value);
    add(&sale.value, sizeof sale.value);
    return keyed_hash<sizeof(Mark)>(key.secret, text);
}

}  // namespace

std::string Passes::make(UserId buyer, SaleId sale, Timestamp expires_at,
                         const Nonce& nonce) const {
    const auto& key = keys_.signing();
    std::array<unsigned char, kPassBytes> bytes;
    bytes[0] = static_cast<unsigned char>(key.id >> 8);
    bytes[1] = static_cast<unsigned char>(key.id);
    const auto millis = to_millis(expires_at);
    for (std::size_t i = 2; i < 8; ++i)
        bytes[i] = static_cast<unsigned char>(millis >> (56 - 8 * i));
    std::memcpy(bytes.data() + 8, nonce.data(), nonce.size());
    const auto mark = mac(key, buyer, sale, bytes.data());
    std::memcpy(bytes.data() + kPassHead, mark.data(), mark.size());
    return to_base64url(bytes);
}

std::optional<Pass> Passes::read(std::string_view text, UserId buyer, SaleId sale) const {
    std::array<unsigned char, kPassBytes> bytes;
    if (text.size() != kLength || !from_base64url(text, bytes)) return std::nullopt;
    const auto* key = keys_.find(static_cast<std::uint16_t>(bytes[0] << 8 | bytes[1]));
    if (!key) return std::nullopt;
    const auto mark = mac(*key, buyer, sale, bytes.data());
    if (!is_same_mac(mark.data(), bytes.data() + kPassHead)) return std::nullopt;
    std::int64_t millis = 0;
    for (std::size_t i = 2; i < 8; ++i) millis = millis << 8 | bytes[i];
    return Pass{from_millis(millis), mark};
}

}  // namespace sluice
