#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sluice {

/// How an older shop made its password hashes. In the names, fixed is one salt for the whole table,
/// and salt is one for each user; every digest is written in lower-case hex before it is used
/// further.
struct LegacyScheme {
    enum class Digest { md5, sha1, sha256 };
    enum class Inner { password, digest, digest_with_fixed };

    std::string_view name;
    Digest digest;
    Inner inner;         // what is combined with the user's salt
    bool salt_first;     // salt+inner, else inner+salt
    std::size_t digits;  // of the result

    bool needs_fixed_salt() const { return inner == Inner::digest_with_fixed; }
};

/// The first is the default.
std::span<const LegacyScheme> legacy_schemes();
const LegacyScheme* find_legacy_scheme(std::string_view name);

std::string legacy_digest(const LegacyScheme& scheme, std::string_view fixed_salt,
                          std::string_view password, std::string_view salt);

/// What is stored for a user who has not logged in since the import: argon2id over the legacy
/// digest, with what is needed to make that digest from a password.
struct WrappedHash {
    const LegacyScheme* scheme;
    std::string salt;
    std::string argon2;

    /// In one line that no other kind of hash looks like.
    std::string text() const;
    static std::optional<WrappedHash> parse(std::string_view text);
};

}  // namespace sluice
