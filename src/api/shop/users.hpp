#pragma once

#include "api/idempotency.hpp"
#include "api/shop/device_cookies.hpp"
#include "app/accounts/sign_up.hpp"
#include "gate/new_account_limiter.hpp"

namespace sluice::api {

class Users {
  public:
    Users(const RegisterUser& registration, SignUp& sign_up, const Receipts& receipts,
          gate::NewAccountLimiter& limiter, const DeviceCookies& devices)
        : registration_(registration),
          sign_up_(sign_up),
          receipts_(receipts),
          limiter_(limiter),
          devices_(devices) {}

    http::Pending create(http::Exchange& exchange);

  private:
    struct Wish {
        User user;
        std::string password;
        SignUp::Proof proof;
        std::optional<Receipt> receipt;
    };
    Task<> add(http::Exchange& exchange, Wish wish);

    const RegisterUser& registration_;
    SignUp& sign_up_;
    const Receipts& receipts_;
    gate::NewAccountLimiter& limiter_;
    const DeviceCookies& devices_;
};

}  // namespace sluice::api
