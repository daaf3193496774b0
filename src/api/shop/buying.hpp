#pragma once

#include <optional>

#include <boost/json/object.hpp>

#include "app/find_ticket.hpp"
#include "app/network_notes.hpp"
#include "app/purchase.hpp"
#include "app/turnstile.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

/// From the pass to the ticket.
class Buying {
  public:
    Buying(const Turnstile& turnstile, Purchase& purchase, FindTicket& find_ticket,
           OrderLedger& ledger, NetworkNotes& networks)
        : turnstile_(turnstile),
          purchase_(purchase),
          find_ticket_(find_ticket),
          ledger_(ledger),
          networks_(networks) {}

    http::Pending buy(http::Exchange& exchange);
    http::Pending show_ticket(http::Exchange& exchange);
    http::Pending show_my_ticket(http::Exchange& exchange);

  private:
    /// A ticket that is queued is waited for so long.
    Task<> carry_out(http::Exchange& exchange, Purchase::Attempt attempt,
                     std::chrono::seconds wait);
    Task<> show_found(http::Exchange& exchange, Task<std::optional<TicketRecord>> search);

    const Turnstile& turnstile_;
    Purchase& purchase_;
    FindTicket& find_ticket_;
    OrderLedger& ledger_;
    NetworkNotes& networks_;
};

/// A ticket as its buyer sees it. While it is queued, with how long that takes, if it is given.
boost::json::object ticket_json(const TicketRecord& record,
                                std::optional<std::int64_t> wait_seconds = std::nullopt);

}  // namespace sluice::api
