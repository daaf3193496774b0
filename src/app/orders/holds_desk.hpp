#pragma once

#include <vector>

#include "app/office/actor.hpp"
#include "app/office/block_book.hpp"
#include "app/purchase/hot_outbox.hpp"
#include "domain/holds.hpp"
#include "ports/clock.hpp"
#include "ports/order_ledger.hpp"
#include "ports/order_list.hpp"

namespace sluice {

/// Where operators see who holds units of a sale without paying, keep them out, and put their units
/// back on sale.
class HoldsDesk {
  public:
    HoldsDesk(OrderList& list, OrderLedger& ledger, BlockBook& blocks, HotOutbox& outbox,
              const Clock& clock, IdSource& ids)
        : list_(list),
          ledger_(ledger),
          blocks_(blocks),
          outbox_(outbox),
          clock_(clock),
          ids_(ids) {}

    struct Shown {
        Timestamp at;
        HoldsOfSale holds;
        std::vector<bool> buyers_blocked;    // one for each of holds.buyers
        std::vector<bool> networks_blocked;  // one for each of holds.networks
    };
    Task<Shown> show(SaleId sale);

    struct Wish {
        SaleId sale;
        BlockSubject of;
        bool block = false;  // block them first, without an end
        std::string reason;  // of the block
    };
    struct GivenBack {
        Held held;
        bool blocked = false;  // they are blocked now
        bool more = false;     // a part is left, since it was too much: ask again
    };
    /// Nothing is given back if the block is refused, for the reasons of BlockBook::put. Units
    /// return in the ledger first, each once, kAtOnce orders in a transaction; the hot copy learns
    /// of them from the hot outbox. If this ends early, the block and a part of the holds are left,
    /// and the same call goes on from there. May throw Outage.
    Task<Outcome<GivenBack>> give_back(Wish wish, Actor actor, Address from);

    static constexpr std::size_t kAtOnce = 200;
    static constexpr int kMostRounds = 10;  // in one call, so that no request lasts long

  private:
    Task<OrderLedger::HoldsGivenBack> give_back_some(Wish wish, Actor actor, OrderId after);

    OrderList& list_;
    OrderLedger& ledger_;
    BlockBook& blocks_;
    HotOutbox& outbox_;
    const Clock& clock_;
    IdSource& ids_;
};

}  // namespace sluice
