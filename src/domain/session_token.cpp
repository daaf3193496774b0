#include "domain/session_token.hpp"

#include <algorithm>

#include <sodium.h>

#include "base/encoding.hpp"

namespace sluice {
namespace {

constexpr std::size_t kMacBytes = 16;
constexpr std::size_t kTokenBytes = SessionTokens::kSecretBytes + kMacBytes;
constexpr std::size_t kTokenLength = kTokenBytes / 3 * 4;
static_assert(kTokenBytes % 3 == 0, "so that base64 has no slack bits");

using Digest = std::array<unsigned char, kMacBytes + sizeof(SessionKey)>;

Digest digest_of(const unsigned char* secret, const SessionTokens::MasterKey& key) {
    Digest digest;
    crypto_generichash(digest.data(), digest.size(), secret, SessionTokens::kSecretBytes,
                       key.data(), key.size());
    return digest;
}

SessionKey key_of(const Digest& digest) {
    SessionKey key;
    std::copy(digest.begin() + kMacBytes, digest.end(), key.begin());
    return key;
}

}  // namespace

SessionTokens::Token SessionTokens::make(
    std::span<const unsigned char, kSecretBytes> secret) const {
    const auto digest = digest_of(secret.data(), key_);
    std::array<unsigned char, kTokenBytes> bytes;
    const auto end = std::copy(secret.begin(), secret.end(), bytes.begin());
    std::copy_n(digest.begin(), kMacBytes, end);
    return {to_base64url(bytes), key_of(digest)};
}

std::optional<SessionKey> SessionTokens::recognise(std::string_view text) const {
    std::array<unsigned char, kTokenBytes> bytes;
    if (text.size() != kTokenLength || !from_base64url(text, bytes)) return std::nullopt;
    const auto digest = digest_of(bytes.data(), key_);
    if (sodium_memcmp(digest.data(), bytes.data() + kSecretBytes, kMacBytes) != 0)
        return std::nullopt;
    return key_of(digest);
}

}  // namespace sluice
