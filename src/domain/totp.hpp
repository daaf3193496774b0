#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/timestamp.hpp"

namespace sluice {

/// One-time codes that follow the time: RFC 6238 with SHA-1, six digits and thirty seconds, which
/// every authenticator supports.
class Totp {
  public:
    static constexpr std::size_t kSecretBytes = 20;
    using Secret = std::array<unsigned char, kSecretBytes>;

    static constexpr std::chrono::seconds kStep{30};
    /// A code counts from one step before its time to one step after, because phones' clocks are
    /// off and people need time to type.
    static constexpr std::int64_t kSlack = 1;

    explicit Totp(const Secret& secret) : secret_(secret) {}

    std::string code_at(std::int64_t step) const;

    /// The step to which this code belongs, if it is near enough and later than `after`, the last
    /// one that was used. The time taken reveals nothing about the code.
    std::optional<std::int64_t> find_step(std::string_view code, Timestamp now,
                                          std::int64_t after) const;

    /// For an authenticator that reads no QR code: base32.
    std::string secret_text() const;
    /// The content of the QR code.
    std::string uri(std::string_view issuer, std::string_view account) const;

    static std::int64_t step_at(Timestamp now);

  private:
    const Secret secret_;
};

/// Replaces a lost authenticator, once: twelve letters and digits in three groups.
class RecoveryCode {
  public:
    static constexpr std::size_t kRandomBytes = 8;
    /// As it is shown: 7kq2-m9xd-4hfa.
    static std::string make(const std::array<unsigned char, kRandomBytes>& random);
    /// The letters and digits without separators that people type; nullopt when it is not a code.
    static std::optional<std::string> parse(std::string_view text);
};

}  // namespace sluice
