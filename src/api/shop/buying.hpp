#pragma once

#include <optional>

#include <boost/json/object.hpp>

#include "app/orders/network_notes.hpp"
#include "app/purchase/decision_watch.hpp"
#include "app/purchase/find_ticket.hpp"
#include "app/purchase/purchase.hpp"
#include "app/purchase/turnstile.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

/// From the pass to the ticket.
class Buying {
  public:
    Buying(const Turnstile& turnstile, Purchase& purchase, FindTicket& find_ticket,
           DecisionWatch& decisions, NetworkNotes& networks)
        : turnstile_(turnstile),
          purchase_(purchase),
          find_ticket_(find_ticket),
          decisions_(decisions),
          networks_(networks) {}

    http::Pending buy(http::Exchange& exchange);
    http::Pending show_ticket(http::Exchange& exchange);
    http::Pending show_my_ticket(http::Exchange& exchange);

  private:
    /// Waits that long at most for a queued ticket to be decided.
    Task<> carry_out(http::Exchange& exchange, Purchase::Attempt attempt,
                     std::chrono::seconds wait);
    Task<> show_found(http::Exchange& exchange, Task<std::optional<TicketRecord>> search);

    const Turnstile& turnstile_;
    Purchase& purchase_;
    FindTicket& find_ticket_;
    DecisionWatch& decisions_;
    NetworkNotes& networks_;
};

/// A ticket as its buyer sees it. A queued one has the expected wait, if it is given.
boost::json::object ticket_json(const TicketRecord& record,
                                std::optional<std::int64_t> wait_seconds = std::nullopt);

}  // namespace sluice::api
