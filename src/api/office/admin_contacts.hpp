#pragma once

#include "app/orders/contact_book.hpp"
#include "http/exchange.hpp"
#include "ports/user_ledger.hpp"

namespace sluice::api {

/// What the shop asks of its buyers, and how an operator erases what one of them has told.
class AdminContacts {
  public:
    AdminContacts(ContactBook& book, UserLedger& users) : book_(book), users_(users) {}

    http::Pending show_fields(http::Exchange& exchange);
    http::Pending change_fields(http::Exchange& exchange);
    http::Pending erase(http::Exchange& exchange);

  private:
    Task<> describe(http::Exchange& exchange);
    Task<> carry_out_change(http::Exchange& exchange, ContactBook::AskedWish wish);
    Task<> carry_out_erase(http::Exchange& exchange, UserId user);

    ContactBook& book_;
    UserLedger& users_;
};

}  // namespace sluice::api
