#pragma once

#include "app/accounts/phone_codes.hpp"
#include "config/config.hpp"
#include "domain/device_token.hpp"
#include "http/exchange.hpp"
#include "ports/random.hpp"

namespace sluice::api {

/// The cookie by which a browser is recognised whose owner has proven that an account is theirs: by
/// its password, or by a code that was sent to its phone.
class DeviceCookies {
  public:
    DeviceCookies(const Config& config, const DeviceTokens& tokens, Random& random)
        : config_(config), tokens_(tokens), random_(random) {}

    /// `phone` in its canonical form, as in the calls below.
    std::optional<DeviceId> recognise(const http::Exchange& exchange, std::string_view phone) const;

    /// The bearer of a code for this phone: who asks for one, or shows one.
    CodeBearer bearer(const http::Exchange& exchange, std::string_view phone) const;

    /// It outlives the session, so that the owner is recognised at the next log-in.
    void set(http::Exchange& exchange, std::string_view phone,
             const std::optional<DeviceId>& known) const;

  private:
    const Config& config_;
    const DeviceTokens& tokens_;
    Random& random_;
};

}  // namespace sluice::api
