#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sluice {

/// What is stored of a session token: a keyed digest, from which the token cannot be had.
using SessionKey = std::array<unsigned char, 32>;

/// Makes and recognises session tokens. A token is 256 random bits and a MAC over them, so that a
/// forged one costs us one hash and no look-up. One keyed hash gives both: its first half is the
/// MAC in the token, the rest the key under which the session is stored.
class SessionTokens {
  public:
    static constexpr std::size_t kSecretBytes = 32;
    using MasterKey = std::array<unsigned char, 32>;

    explicit SessionTokens(const MasterKey& key) : key_(key) {}

    struct Token {
        std::string text;
        SessionKey key;
    };
    Token make(std::span<const unsigned char, kSecretBytes> secret) const;

    /// The key of a token that we made; nullopt for any other text. Takes the same time for every
    /// text of the right length.
    std::optional<SessionKey> recognise(std::string_view text) const;

  private:
    MasterKey key_;
};

}  // namespace sluice
