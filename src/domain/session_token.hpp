#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sluice {

/// What is stored of a session token: a keyed digest, from which the token cannot be recovered.
using SessionKey = std::array<unsigned char, 32>;

/// A token's name in memory: a keyed hash of its text, many times quicker than its key. Valid only
/// within the process.
using TokenHandle = std::array<unsigned char, 16>;

struct SessionName {
    TokenHandle handle{};
    SessionKey key{};
};

/// Makes and recognises session tokens. A token is 256 random bits and a MAC over them, so that a
/// forged one costs us one hash and no look-up. One keyed hash gives both: its first half is the
/// MAC in the token, the rest is the key under which the session is stored. A token that was
/// recognised before is found by its handle and not checked again. docs/adr/0026.
class SessionTokens {
  public:
    static constexpr std::size_t kSecretBytes = 32;
    using MasterKey = std::array<unsigned char, 32>;

    explicit SessionTokens(const MasterKey& key);

    struct Token {
        std::string text;
        SessionName name;
    };
    Token make(std::span<const unsigned char, kSecretBytes> secret) const;

    /// The name of a token that we made; nullopt for any other text. Takes the same time for every
    /// text of the right length.
    std::optional<SessionName> recognise(std::string_view text) const;

    /// Whether it has the length of a token: otherwise it need not be hashed.
    static bool may_be_token(std::string_view text);

    /// For any text, ours or not.
    TokenHandle handle_of(std::string_view text) const;

  private:
    MasterKey key_;
    TokenHandle handle_key_;
};

}  // namespace sluice
