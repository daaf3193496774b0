#pragma once

#include <boost/json/object.hpp>

#include "app/absences.hpp"
#include "app/purchase.hpp"
#include "app/turnstile.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

/// From the pass to the ticket.
class Buying {
  public:
    Buying(const Turnstile& turnstile, Purchase& purchase, const Catalog& catalog, StockGate& gate,
           OrderLedger& ledger, Absences& absences)
        : turnstile_(turnstile),
          purchase_(purchase),
          catalog_(catalog),
          gate_(gate),
          ledger_(ledger),
          absences_(absences) {}

    http::Pending buy(http::Exchange& exchange);
    http::Pending show_ticket(http::Exchange& exchange);
    http::Pending show_my_ticket(http::Exchange& exchange);

  private:
    /// A ticket that is queued is waited for so long.
    Task<> carry_out(http::Exchange& exchange, Purchase::Attempt attempt,
                     std::chrono::seconds wait);
    std::optional<Absences::Question> worth_asking(const http::Exchange& exchange,
                                                   SaleId sale) const;
    Task<> look_up(http::Exchange& exchange, TicketId id, Absences::Question question);
    Task<> look_up_latest(http::Exchange& exchange, SaleId sale, Absences::Question question);
    void refuse_absent(http::Exchange& exchange, const Absences::Question& question);

    const Turnstile& turnstile_;
    Purchase& purchase_;
    const Catalog& catalog_;
    StockGate& gate_;
    OrderLedger& ledger_;
    Absences& absences_;
};

/// A ticket as its buyer sees it.
boost::json::object ticket_json(const TicketRecord& record);

}  // namespace sluice::api
