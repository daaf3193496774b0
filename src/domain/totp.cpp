#include "domain/totp.hpp"

#include <algorithm>
#include <cstdio>

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "base/ascii.hpp"
#include "base/check.hpp"

namespace sluice {
namespace {

constexpr std::size_t kDigits = 6;
constexpr std::uint32_t kModulus = 1'000'000;

/// RFC 4648. In lower case also for recovery codes: nothing in it looks like 0 or 1.
constexpr std::string_view kBase32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
constexpr std::size_t kRecoveryLetters = 12;

std::array<unsigned char, 20> hmac_sha1(const Totp::Secret& secret, std::int64_t step) {
    std::array<unsigned char, 8> text;
    for (std::size_t i = 0; i < text.size(); ++i)
        text[i] = static_cast<unsigned char>(step >> (8 * (text.size() - 1 - i)));
    std::array<unsigned char, 20> digest{};
    unsigned length = 0;
    const auto* made = HMAC(EVP_sha1(), secret.data(), static_cast<int>(secret.size()), text.data(),
                            text.size(), digest.data(), &length);
    CHECK(made && length == digest.size(), "HMAC-SHA1 has twenty bytes");
    return digest;
}

bool is_same(std::string_view one, std::string_view other) {
    unsigned difference = one.size() != other.size();
    for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i)
        difference |= static_cast<unsigned char>(one[i]) ^ static_cast<unsigned char>(other[i]);
    return difference == 0;
}

std::string percent_encode(std::string_view text) {
    std::string result;
    for (const char c : text) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
        if (plain) {
            result += c;
            continue;
        }
        char escaped[4];
        std::snprintf(escaped, sizeof escaped, "%%%02X", static_cast<unsigned char>(c));
        result += escaped;
    }
    return result;
}

}  // namespace

std::int64_t Totp::step_at(Timestamp now) {
    return std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()) / kStep;
}

std::string Totp::code_at(std::int64_t step) const {
    const auto digest = hmac_sha1(secret_, step);
    const std::size_t at = digest.back() & 0x0f;
    const std::uint32_t word = (digest[at] & 0x7fu) << 24 | std::uint32_t{digest[at + 1]} << 16 |
                               std::uint32_t{digest[at + 2]} << 8 | digest[at + 3];
    auto text = std::to_string(word % kModulus);
    text.insert(0, kDigits - text.size(), '0');
    return text;
}

std::optional<std::int64_t> Totp::find_step(std::string_view code, Timestamp now,
                                            std::int64_t after) const {
    // Authenticators show it in two groups, and people may type the gap.
    std::string digits(code);
    if (digits.size() == kDigits + 1 && digits[kDigits / 2] == ' ') digits.erase(kDigits / 2, 1);
    const auto present = step_at(now);
    std::optional<std::int64_t> found;
    for (auto step = present - kSlack; step <= present + kSlack; ++step)
        if (is_same(digits, code_at(step)) && step > after) found = step;
    return found;
}

std::string Totp::secret_text() const {
    std::string text;
    unsigned bits = 0, held = 0;
    for (const auto byte : secret_) {
        bits = bits << 8 | byte;
        for (held += 8; held >= 5; held -= 5) text += kBase32[bits >> (held - 5) & 31];
    }
    return text;  // twenty bytes are exactly 32 letters
}

std::string Totp::uri(std::string_view issuer, std::string_view account) const {
    const auto name = percent_encode(issuer);
    return "otpauth://totp/" + name + ":" + percent_encode(account) + "?secret=" + secret_text() +
           "&issuer=" + name;
}

std::string RecoveryCode::make(const std::array<unsigned char, kRandomBytes>& random) {
    std::uint64_t bits = 0;
    for (const auto byte : random) bits = bits << 8 | byte;
    std::string text;
    for (std::size_t i = 0; i < kRecoveryLetters; ++i, bits >>= 5) {
        if (i > 0 && i % 4 == 0) text += '-';
        text += to_lower(kBase32[bits & 31]);
    }
    return text;
}

std::optional<std::string> RecoveryCode::parse(std::string_view text) {
    std::string letters;
    for (const char c : text) {
        if (c == '-' || c == ' ') continue;
        const char letter = to_lower(c);
        const bool known =
            std::ranges::any_of(kBase32, [&](char each) { return to_lower(each) == letter; });
        if (!known || letters.size() == kRecoveryLetters) return std::nullopt;
        letters += letter;
    }
    if (letters.size() != kRecoveryLetters) return std::nullopt;
    return letters;
}

}  // namespace sluice
