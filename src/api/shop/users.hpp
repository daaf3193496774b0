#pragma once

#include "api/idempotency.hpp"
#include "app/phone_codes.hpp"
#include "app/register_user.hpp"
#include "gate/new_account_limiter.hpp"

namespace sluice::api {

class Users {
  public:
    /// `codes`: that prove a phone, if registrations need one.
    Users(RegisterUser& registration, const Receipts& receipts, gate::NewAccountLimiter& limiter,
          PhoneCodes* codes)
        : registration_(registration), receipts_(receipts), limiter_(limiter), codes_(codes) {}

    http::Pending create(http::Exchange& exchange);

  private:
    struct Wish {
        User user;
        std::string password;
        std::string code;
        std::optional<Receipt> receipt;
    };
    Task<> add(http::Exchange& exchange, Wish wish);
    Task<bool> add_once(http::Exchange& exchange, Wish wish);

    RegisterUser& registration_;
    const Receipts& receipts_;
    gate::NewAccountLimiter& limiter_;
    PhoneCodes* const codes_;
};

}  // namespace sluice::api
