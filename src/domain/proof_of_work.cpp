#include "domain/proof_of_work.hpp"

#include <cstring>

#include <sodium.h>

#include "base/encoding.hpp"

namespace sluice {
namespace {

// bits (1), expiry (8, big-endian milliseconds), nonce (8), MAC (16): 33 bytes.
constexpr std::size_t kChallengeHead = 17;
constexpr std::size_t kChallengeBytes = kChallengeHead + sizeof(Mark);

unsigned leading_zero_bits(const unsigned char* digest) {
    unsigned bits = 0;
    for (std::size_t i = 0; i < crypto_hash_sha256_BYTES; ++i) {
        if (digest[i] != 0)
            return bits + static_cast<unsigned>(__builtin_clz(digest[i])) - (32 - 8);
        bits += 8;
    }
    return bits;
}

}  // namespace

std::string WorkChallenges::seal(UserId buyer, SaleId sale, unsigned bits, Timestamp expires_at,
                                 const Nonce& nonce) const {
    std::array<unsigned char, kChallengeBytes> bytes;
    bytes[0] = static_cast<unsigned char>(bits);
    const auto millis = to_millis(expires_at);
    for (std::size_t i = 0; i < 8; ++i)
        bytes[1 + i] = static_cast<unsigned char>(millis >> (56 - 8 * i));
    std::memcpy(bytes.data() + 9, nonce.data(), nonce.size());
    const auto mark = mac(buyer, sale, bytes.data());
    std::memcpy(bytes.data() + kChallengeHead, mark.data(), mark.size());
    return to_base64url(bytes);
}

std::optional<WorkChallenge> WorkChallenges::open(std::string_view id, UserId buyer,
                                                  SaleId sale) const {
    std::array<unsigned char, kChallengeBytes> bytes;
    if (id.size() != kIdLength || !from_base64url(id, bytes)) return std::nullopt;
    WorkChallenge challenge{.bits = bytes[0], .expires_at = {}, .mark = {}};
    challenge.mark = mac(buyer, sale, bytes.data());
    if (sodium_memcmp(challenge.mark.data(), bytes.data() + kChallengeHead, sizeof(Mark)) != 0)
        return std::nullopt;
    std::int64_t millis = 0;
    for (std::size_t i = 0; i < 8; ++i) millis = millis << 8 | bytes[1 + i];
    challenge.expires_at = from_millis(millis);
    return challenge;
}

/// Every field has a fixed width, so no two lists of fields give the same text.
Mark WorkChallenges::mac(UserId buyer, SaleId sale, const unsigned char* head) const {
    std::array<unsigned char, kChallengeHead + sizeof buyer.value + sizeof sale.value> text;
    std::memcpy(text.data(), head, kChallengeHead);
    std::memcpy(text.data() + kChallengeHead, &buyer.value, sizeof buyer.value);
    std::memcpy(text.data() + kChallengeHead + sizeof buyer.value, &sale.value, sizeof sale.value);
    Mark mark;
    crypto_generichash(mark.data(), mark.size(), text.data(), text.size(), key_.data(),
                       key_.size());
    return mark;
}

std::string work_prefix(std::string_view id) {
    return std::string(id) + ".";
}

bool proves_work(std::string_view id, std::string_view answer, unsigned bits) {
    const auto text = work_prefix(id).append(answer);
    std::array<unsigned char, crypto_hash_sha256_BYTES> digest;
    const auto bytes = bytes_of(text);
    crypto_hash_sha256(digest.data(), bytes.data(), bytes.size());
    return leading_zero_bits(digest.data()) >= bits;
}

}  // namespace sluice
