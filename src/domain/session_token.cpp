#include "domain/session_token.hpp"

#include <algorithm>

#include "base/encoding.hpp"
#include "base/keyed_hash.hpp"

namespace sluice {
namespace {

constexpr std::size_t kMacBytes = 16;
constexpr std::size_t kTokenBytes = SessionTokens::kSecretBytes + kMacBytes;
constexpr std::size_t kTokenLength = kTokenBytes / 3 * 4;
static_assert(kTokenBytes % 3 == 0, "so that base64 has no slack bits");

using TokenDigest = std::array<unsigned char, kMacBytes + sizeof(SessionKey)>;

TokenDigest digest_of(const unsigned char* secret, const SessionTokens::MasterKey& key) {
    std::array<unsigned char, SessionTokens::kSecretBytes> text;
    std::copy_n(secret, text.size(), text.begin());
    return keyed_hash<sizeof(TokenDigest)>(key, text);
}

SessionKey key_of(const TokenDigest& digest) {
    SessionKey key;
    std::copy(digest.begin() + kMacBytes, digest.end(), key.begin());
    return key;
}

}  // namespace

SessionTokens::SessionTokens(const MasterKey& key)
    : key_(key),
      handle_key_(keyed_hash<sizeof(TokenHandle)>(
          key, std::array<unsigned char, 6>{'h', 'a', 'n', 'd', 'l', 'e'})) {
    static_assert(sizeof(TokenHandle) == crypto_shorthash_siphashx24_KEYBYTES);
}

SessionTokens::Token SessionTokens::make(
    std::span<const unsigned char, kSecretBytes> secret) const {
    const auto digest = digest_of(secret.data(), key_);
    std::array<unsigned char, kTokenBytes> bytes;
    const auto end = std::copy(secret.begin(), secret.end(), bytes.begin());
    std::copy_n(digest.begin(), kMacBytes, end);
    auto text = to_base64url(bytes);
    const auto handle = handle_of(text);
    return {std::move(text), {handle, key_of(digest)}};
}

bool SessionTokens::may_be_token(std::string_view text) {
    return text.size() == kTokenLength;
}

std::optional<SessionName> SessionTokens::recognise(std::string_view text) const {
    std::array<unsigned char, kTokenBytes> bytes;
    if (!may_be_token(text) || !from_base64url(text, bytes)) return std::nullopt;
    const auto digest = digest_of(bytes.data(), key_);
    if (!is_same_mac(digest.data(), bytes.data() + kSecretBytes)) return std::nullopt;
    return SessionName{handle_of(text), key_of(digest)};
}

TokenHandle SessionTokens::handle_of(std::string_view text) const {
    TokenHandle handle;
    static_assert(sizeof handle == crypto_shorthash_siphashx24_BYTES);
    crypto_shorthash_siphashx24(handle.data(), reinterpret_cast<const unsigned char*>(text.data()),
                                text.size(), handle_key_.data());
    return handle;
}

}  // namespace sluice
