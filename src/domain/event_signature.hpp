#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/timestamp.hpp"

namespace sluice {

/// What an event's signature is called in a request's head.
inline constexpr std::string_view kSignatureHeader = "Sluice-Signature";

/// `t=<unix>,v1=<hex>`: the HMAC-SHA256 of "t.body" under the secret.
std::string sign_event(std::string_view secret, std::string_view body, Timestamp at);

enum class SignatureFlaw { malformed, stale, wrong };

std::string_view to_string(SignatureFlaw);

/// What is wrong with the signature; nothing when one of its `v1` is made with one of the secrets
/// and its time is no more than `tolerance` away, before or after. The time it takes says nothing
/// about the secrets.
std::optional<SignatureFlaw> find_flaw(std::string_view signature, std::string_view body,
                                       std::span<const std::string> secrets, Timestamp now,
                                       std::chrono::seconds tolerance);

}  // namespace sluice
