#pragma once

#include "api/shop/device_cookies.hpp"
#include "app/accounts/own_password.hpp"
#include "app/accounts/send_phone_code.hpp"
#include "config/config.hpp"
#include "gate/code_limiter.hpp"
#include "gate/log_in_limiter.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

/// Codes to phones, and passwords that people change themselves.
class Passwords {
  public:
    struct Parts {
        OwnPassword& passwords;
        SendPhoneCode& send_code;
        const PhoneForm& form;
        const PhoneCountries& countries;  // to which codes go
        gate::CodeLimiter& code_limiter;
        gate::LogInLimiter& log_in_limiter;
        const DeviceCookies& devices;
    };
    Passwords(const Config& config, const Parts& parts) : config_(config), parts_(parts) {}

    http::Pending show_rules(http::Exchange& exchange);
    http::Pending send_code(http::Exchange& exchange);
    http::Pending reset(http::Exchange& exchange);
    http::Pending change(http::Exchange& exchange);

  private:
    bool sends_messages() const { return config_.sms.provider != MessageSenderName::none; }
    Task<> issue(http::Exchange& exchange, SendPhoneCode::Wish wish);
    Task<> carry_out_reset(http::Exchange& exchange, OwnPassword::Reset wish);
    Task<> carry_out_change(http::Exchange& exchange, OwnPassword::Change wish);

    const Config& config_;
    const Parts parts_;
};

}  // namespace sluice::api
