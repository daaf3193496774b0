#pragma once

#include "app/purchase.hpp"
#include "gate/turnstile.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

/// From the pass to the ticket.
class Buying {
  public:
    Buying(const gate::Turnstile& turnstile, Purchase& purchase, const Catalog& catalog,
           OrderLedger& ledger)
        : turnstile_(turnstile), purchase_(purchase), catalog_(catalog), ledger_(ledger) {}

    http::Pending buy(http::Exchange& exchange);
    http::Pending show_ticket(http::Exchange& exchange);
    http::Pending show_my_ticket(http::Exchange& exchange);

  private:
    Task<> carry_out(http::Exchange& exchange, Purchase::Attempt attempt);
    Task<> look_up(http::Exchange& exchange, TicketId id);
    Task<> look_up_latest(http::Exchange& exchange, SaleId sale);

    const gate::Turnstile& turnstile_;
    Purchase& purchase_;
    const Catalog& catalog_;
    OrderLedger& ledger_;
};

}  // namespace sluice::api
