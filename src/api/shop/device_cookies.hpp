#pragma once

#include "app/phone_codes.hpp"
#include "config/config.hpp"
#include "domain/device_token.hpp"
#include "http/exchange.hpp"
#include "ports/random.hpp"

namespace sluice::api {

/// The cookie by which a browser is known again as one whose owner has proven that an account is
/// theirs: by its password, or by a code that was sent to its phone.
class DeviceCookies {
  public:
    DeviceCookies(const Config& config, const DeviceTokens& tokens, Random& random)
        : config_(config), tokens_(tokens), random_(random) {}

    /// `phone` in its canonical form, here and below.
    std::optional<DeviceId> recognise(const http::Exchange& exchange, std::string_view phone) const;

    /// Who asks for a code to this phone, or shows one.
    CodeBearer bearer(const http::Exchange& exchange, std::string_view phone) const;

    /// It outlives the session, so that its owner is known at the next log-in.
    void set(http::Exchange& exchange, std::string_view phone,
             const std::optional<DeviceId>& known) const;

  private:
    const Config& config_;
    const DeviceTokens& tokens_;
    Random& random_;
};

}  // namespace sluice::api
