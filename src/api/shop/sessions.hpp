#pragma once

#include "api/shop/device_cookies.hpp"
#include "app/accounts/log_in.hpp"
#include "config/config.hpp"
#include "gate/log_in_limiter.hpp"
#include "gate/origins.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

class Sessions {
  public:
    struct Parts {
        LogIn& login;
        SessionStore& store;
        const SessionTokens& tokens;
        const DeviceCookies& devices;
        const PhoneForm& form;
        gate::LogInLimiter& limiter;
        gate::LogInLimiter& factor_limiter;
        const Clock& clock;
    };
    Sessions(const Config& config, const Parts& parts)
        : config_(config), origins_(config), parts_(parts) {}

    http::Pending log_in(http::Exchange& exchange);
    http::Pending show(http::Exchange& exchange);
    http::Pending log_out(http::Exchange& exchange);
    http::Pending log_out_everywhere(http::Exchange& exchange);

  private:
    struct Asked {
        LogIn::Attempt attempt;
        LogIn::Opening opening;
        std::string phone;  // canonical
        std::optional<DeviceId> device;

        gate::LogInLimiter::Try as_try(const http::Exchange& exchange) const {
            return {.whose = phone, .client = exchange.client, .device = device};
        }
    };

    Task<> describe(http::Exchange& exchange, Caller caller);
    Task<> open(http::Exchange& exchange, Asked asked);
    /// For whoever has shown the password: of the account `whose`.
    Task<bool> guesses_too_fast(http::Exchange& exchange, gate::LogInLimiter::Try attempt);
    Task<> close(http::Exchange& exchange, SessionKey key);
    Task<> close_all(http::Exchange& exchange, UserId user);
    void set_cookie(http::Exchange& exchange, std::string_view token) const;

    const Config& config_;
    const gate::Origins origins_;
    const Parts parts_;
};

}  // namespace sluice::api
