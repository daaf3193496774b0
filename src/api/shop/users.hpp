#pragma once

#include "api/idempotency.hpp"
#include "app/register_user.hpp"

namespace sluice::api {

class Users {
  public:
    Users(RegisterUser& registration, const Receipts& receipts)
        : registration_(registration), receipts_(receipts) {}

    http::Pending create(http::Exchange& exchange);

  private:
    Task<> add(http::Exchange& exchange, User user, std::string password,
               std::optional<Receipt> receipt);

    RegisterUser& registration_;
    const Receipts& receipts_;
};

}  // namespace sluice::api
