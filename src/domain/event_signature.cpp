#include "domain/event_signature.hpp"

#include <array>
#include <charconv>
#include <vector>

#include <sodium.h>

#include "base/encoding.hpp"
#include "base/names.hpp"

namespace sluice {
namespace {

constexpr Names<SignatureFlaw::wrong> kFlaws({{SignatureFlaw::malformed, "malformed"},
                                              {SignatureFlaw::stale, "stale"},
                                              {SignatureFlaw::wrong, "wrong"}});

using HmacDigest = std::array<unsigned char, crypto_auth_hmacsha256_BYTES>;

/// More than a rotation needs; each costs a comparison for each secret.
constexpr std::size_t kMostDigests = 8;

struct Signature {
    std::string_view time;
    std::vector<HmacDigest> digests;
};

HmacDigest digest_of(std::string_view secret, std::string_view time, std::string_view body) {
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, bytes_of(secret).data(), secret.size());
    for (const auto part : {time, std::string_view("."), body})
        crypto_auth_hmacsha256_update(&state, bytes_of(part).data(), part.size());
    HmacDigest digest;
    crypto_auth_hmacsha256_final(&state, digest.data());
    return digest;
}

std::optional<HmacDigest> parse_digest(std::string_view hex) {
    HmacDigest digest;
    std::size_t length = 0;
    const bool whole = hex.size() == digest.size() * 2 &&
                       sodium_hex2bin(digest.data(), digest.size(), hex.data(), hex.size(), nullptr,
                                      &length, nullptr) == 0 &&
                       length == digest.size();
    if (!whole) return std::nullopt;
    return digest;
}

/// Parts that we do not know are ignored.
std::optional<Signature> parse(std::string_view text) {
    Signature signature;
    while (!text.empty()) {
        const auto comma = text.find(',');
        auto part = text.substr(0, comma);
        text.remove_prefix(comma == text.npos ? text.size() : comma + 1);
        while (part.starts_with(' ')) part.remove_prefix(1);
        if (part.starts_with("t=")) {
            if (!signature.time.empty()) return std::nullopt;
            signature.time = part.substr(2);
        } else if (part.starts_with("v1=")) {
            const auto digest = parse_digest(part.substr(3));
            if (!digest || signature.digests.size() == kMostDigests) return std::nullopt;
            signature.digests.push_back(*digest);
        }
    }
    if (signature.time.empty() || signature.digests.empty()) return std::nullopt;
    return signature;
}

/// Up to ten digits, so that nothing can overflow.
std::optional<Timestamp> parse_time(std::string_view digits) {
    std::uint64_t seconds = 0;
    const auto* last = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), last, seconds);
    if (error != std::errc{} || end != last || digits.size() > 10) return std::nullopt;
    return Timestamp{std::chrono::seconds{seconds}};
}

}  // namespace

std::string sign_event(std::string_view secret, std::string_view body, Timestamp at) {
    const auto time = std::to_string(to_millis(at) / 1000);
    return "t=" + time + ",v1=" + to_hex(digest_of(secret, time, body));
}

std::string_view to_string(SignatureFlaw flaw) {
    return kFlaws.text(flaw);
}

std::optional<SignatureFlaw> find_flaw(std::string_view signature, std::string_view body,
                                       std::span<const std::string> secrets, Timestamp now,
                                       std::chrono::seconds tolerance) {
    const auto given = parse(signature);
    const auto at = given ? parse_time(given->time) : std::nullopt;
    if (!at) return SignatureFlaw::malformed;
    // The signature is checked before the time: without a secret nobody learns anything about our
    // clock.
    bool genuine = false;
    for (const auto& secret : secrets) {
        const auto expected = digest_of(secret, given->time, body);
        for (const auto& digest : given->digests)
            genuine |= sodium_memcmp(expected.data(), digest.data(), expected.size()) == 0;
    }
    if (!genuine) return SignatureFlaw::wrong;
    if (now - *at > tolerance || *at - now > tolerance) return SignatureFlaw::stale;
    return std::nullopt;
}

}  // namespace sluice
