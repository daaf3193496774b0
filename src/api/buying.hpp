#pragma once

#include "app/pass_desk.hpp"
#include "app/purchase.hpp"
#include "base/absences.hpp"
#include "gate/turnstile.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

/// From the pass to the ticket.
class Buying {
  public:
    Buying(const gate::Turnstile& turnstile, Purchase& purchase, PassDesk& desk,
           const Catalog& catalog, StockGate& gate, OrderLedger& ledger, Absences& absences,
           const Clock& clock)
        : turnstile_(turnstile),
          purchase_(purchase),
          desk_(desk),
          catalog_(catalog),
          gate_(gate),
          ledger_(ledger),
          absences_(absences),
          clock_(clock) {}

    http::Pending create_pass(http::Exchange& exchange);
    http::Pending buy(http::Exchange& exchange);
    http::Pending show_ticket(http::Exchange& exchange);
    http::Pending show_my_ticket(http::Exchange& exchange);

  private:
    Task<> tell_limit(http::Exchange& exchange, SaleId sale);
    Task<> carry_out(http::Exchange& exchange, Purchase::Attempt attempt);
    bool may_have_ticket(const http::Exchange& exchange, SaleId sale) const;
    Task<> look_up(http::Exchange& exchange, TicketId id);
    Task<> look_up_latest(http::Exchange& exchange, SaleId sale);

    const gate::Turnstile& turnstile_;
    Purchase& purchase_;
    PassDesk& desk_;
    const Catalog& catalog_;
    StockGate& gate_;
    OrderLedger& ledger_;
    Absences& absences_;
    const Clock& clock_;
};

}  // namespace sluice::api
