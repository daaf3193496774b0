#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/timestamp.hpp"

namespace sluice {

/// The request header with an event's signature.
inline constexpr std::string_view kSignatureHeader = "Sluice-Signature";

/// `t=<unix>,v1=<hex>`: the HMAC-SHA256 of "t.body" under the secret.
std::string sign_event(std::string_view secret, std::string_view body, Timestamp at);

enum class SignatureFlaw { malformed, stale, wrong };

std::string_view to_string(SignatureFlaw);

/// What is wrong with the signature; nothing when one of its `v1` was made with one of the secrets
/// and its time differs by no more than `tolerance`. The time taken reveals nothing about the
/// secrets.
std::optional<SignatureFlaw> find_flaw(std::string_view signature, std::string_view body,
                                       std::span<const std::string> secrets, Timestamp now,
                                       std::chrono::seconds tolerance);

}  // namespace sluice
