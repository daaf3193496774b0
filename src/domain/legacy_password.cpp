#include "domain/legacy_password.hpp"

#include <algorithm>
#include <array>

#include <openssl/evp.h>

#include "base/check.hpp"
#include "base/encoding.hpp"
#include "base/outage.hpp"

namespace sluice {
namespace {

using LegacyDigest = LegacyScheme::Digest;
using Inner = LegacyScheme::Inner;

constexpr std::array<LegacyScheme, 8> kSchemes{{
    {"md5(md5(fixed+password)+salt)", LegacyDigest::md5, Inner::digest_with_fixed, false, 32},
    {"md5(md5(password)+salt)", LegacyDigest::md5, Inner::digest, false, 32},
    {"md5(password+salt)", LegacyDigest::md5, Inner::password, false, 32},
    {"md5(salt+password)", LegacyDigest::md5, Inner::password, true, 32},
    {"sha1(password+salt)", LegacyDigest::sha1, Inner::password, false, 40},
    {"sha1(salt+password)", LegacyDigest::sha1, Inner::password, true, 40},
    {"sha256(password+salt)", LegacyDigest::sha256, Inner::password, false, 64},
    {"sha256(salt+password)", LegacyDigest::sha256, Inner::password, true, 64},
}};

constexpr std::string_view kMark = "$legacy$";

const EVP_MD* algorithm_of(LegacyDigest digest) {
    switch (digest) {
        case LegacyDigest::md5:
            return EVP_md5();
        case LegacyDigest::sha1:
            return EVP_sha1();
        case LegacyDigest::sha256:
            return EVP_sha256();
    }
    CHECK(false, "an enum has one of its values");
}

std::string hex_digest(LegacyDigest digest, std::string_view text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> out;
    unsigned size = 0;
    if (EVP_Digest(text.data(), text.size(), out.data(), &size, algorithm_of(digest), nullptr) != 1)
        throw Outage("this machine's OpenSSL does not offer the digest of a legacy password");
    return to_hex({out.data(), size});
}

std::string concatenated(std::string_view first, std::string_view second) {
    return std::string(first).append(second);
}

std::string inner_of(const LegacyScheme& scheme, std::string_view fixed_salt,
                     std::string_view password) {
    switch (scheme.inner) {
        case Inner::password:
            return std::string(password);
        case Inner::digest:
            return hex_digest(scheme.digest, password);
        case Inner::digest_with_fixed:
            return hex_digest(scheme.digest, concatenated(fixed_salt, password));
    }
    CHECK(false, "an enum has one of its values");
}

}  // namespace

std::span<const LegacyScheme> legacy_schemes() {
    return kSchemes;
}

const LegacyScheme* find_legacy_scheme(std::string_view name) {
    const auto at = std::ranges::find(kSchemes, name, &LegacyScheme::name);
    return at == kSchemes.end() ? nullptr : &*at;
}

std::string legacy_digest(const LegacyScheme& scheme, std::string_view fixed_salt,
                          std::string_view password, std::string_view salt) {
    const auto inner = inner_of(scheme, fixed_salt, password);
    return hex_digest(scheme.digest,
                      scheme.salt_first ? concatenated(salt, inner) : concatenated(inner, salt));
}

std::string WrappedHash::text() const {
    return std::string(kMark) + std::string(scheme->name) + "$" + to_hex(bytes_of(salt)) + argon2;
}

std::optional<WrappedHash> WrappedHash::parse(std::string_view text) {
    if (!text.starts_with(kMark)) return std::nullopt;
    text.remove_prefix(kMark.size());
    const auto end_of_scheme = text.find('$');
    const auto end_of_salt = text.find('$', end_of_scheme + 1);
    if (end_of_scheme == text.npos || end_of_salt == text.npos) return std::nullopt;
    const auto* scheme = find_legacy_scheme(text.substr(0, end_of_scheme));
    auto salt = from_hex(text.substr(end_of_scheme + 1, end_of_salt - end_of_scheme - 1));
    if (!scheme || !salt) return std::nullopt;
    return WrappedHash{scheme, std::move(*salt), std::string(text.substr(end_of_salt))};
}

}  // namespace sluice
