#pragma once

#include "app/purchase/parked_desk.hpp"
#include "app/purchase/queue_figures.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

/// The tickets on their way into the ledger, for operators: how many wait, and which are stuck.
class AdminQueue {
  public:
    AdminQueue(ReadQueue read_queue, ParkedLedger& parked, TicketLedger& tickets, ParkedDesk& desk)
        : read_queue_(std::move(read_queue)), parked_(parked), tickets_(tickets), desk_(desk) {}

    http::Pending show(http::Exchange& exchange) { return look(exchange); }
    http::Pending list_parked(http::Exchange& exchange);
    http::Pending retry(http::Exchange& exchange);
    http::Pending refuse(http::Exchange& exchange);

  private:
    using Decide = Task<ParkedDesk::Decided> (ParkedDesk::*)(TicketId, Actor);

    Task<> look(http::Exchange& exchange);
    Task<> show_page(http::Exchange& exchange, std::optional<TicketId> after, std::size_t limit);
    http::Pending decide(http::Exchange& exchange, Decide how);
    Task<> carry_out(http::Exchange& exchange, TicketId id, Decide how);

    const ReadQueue read_queue_;
    ParkedLedger& parked_;
    TicketLedger& tickets_;
    ParkedDesk& desk_;
};

}  // namespace sluice::api
