#pragma once

#include "api/idempotency.hpp"
#include "app/orders/pay.hpp"

namespace sluice::api {

/// A buyer pays an order.
class Payments {
  public:
    /// `public_url` is where browsers find this server; empty: taken from the request.
    Payments(Pay& pay, const Receipts& receipts, std::string public_url)
        : pay_(pay), receipts_(receipts), public_url_(std::move(public_url)) {}

    http::Pending begin(http::Exchange& exchange);

  private:
    Task<> carry_out(http::Exchange& exchange, OrderId order, std::optional<Receipt> receipt);

    Pay& pay_;
    const Receipts& receipts_;
    const std::string public_url_;
};

}  // namespace sluice::api
