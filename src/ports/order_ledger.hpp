#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "base/task.hpp"
#include "domain/deed.hpp"
#include "domain/order.hpp"
#include "domain/sale.hpp"
#include "ports/receipt.hpp"
#include "ports/stock_gate.hpp"

namespace sluice {

/// Tickets and orders as they are on record, and the ways back. May throw Outage, as UserLedger.
class OrderLedger {
  public:
    virtual ~OrderLedger() = default;

    /// All tickets of a buyer in a sale, the latest first.
    virtual Task<std::vector<TicketRecord>> tickets(SaleId sale, UserId buyer) = 0;

    /// Only the buyer's own.
    virtual Task<std::optional<TicketRecord>> ticket(TicketId id, UserId buyer) = 0;
    virtual Task<std::optional<Order>> order(OrderId id, UserId buyer) = 0;
    /// The newest first, older than `before` when given.
    virtual Task<std::vector<Order>> orders(UserId buyer, std::optional<OrderId> before,
                                            std::size_t limit) = 0;

    /// What a way back came to: the order or sale as it is now, and what the hot copy has to be
    /// told; nothing to tell when it had happened before.
    struct GivenBack {
        Order order;
        std::optional<StockGate::Move> move;
        Stock stock;
    };
    /// Compare-and-set on the order's state. Refuses with not_found when it is not the buyer's,
    /// with conflict when the order is neither pending at `now` nor cancelled.
    virtual Task<Outcome<GivenBack>> cancel(OrderId id, UserId buyer, Timestamp now) = 0;

    /// When the next pending order is due, or was: nullopt when none is pending.
    virtual Task<std::optional<Timestamp>> next_due() = 0;

    struct Expired {
        std::vector<StockGate::Move> moves;  // one for each order; the hot copy has to be told
        std::vector<OrderId> stuck;  // due, but their units are not where they should be: left as
                                     // they are, for sluice audit to name
    };
    /// Expires at most `limit` orders that are pending and due at `now`, the longest due first, all
    /// in one transaction. An order that is being decided elsewhere is expired or not, never both.
    virtual Task<Expired> expire(Timestamp now, std::size_t limit) = 0;

    /// Changes total and left by `delta`. Refuses with conflict when fewer than none would be
    /// left, with not_found when there is no such sale, with ended when it is over. The ledger
    /// writes into the deed what the stock was before and is after.
    struct Restocked {
        Stock stock;
        bool again = false;      // it had been done before, by a request with the same receipt
        std::int64_t epoch = 1;  // of the sale, in this transaction
    };
    virtual Task<Outcome<Restocked>> restock(SaleId sale, std::int64_t delta, Deed deed,
                                             std::optional<Receipt> receipt) = 0;

    /// Writes "rolled back" for those the journal does not know: no order can appear for them
    /// any more. Returns what the journal says of each now.
    virtual Task<std::vector<TicketRecord>> fence(std::vector<Ticket> tickets) = 0;

    /// Everything a hot copy is filled from, for the sales that have not ended at `now`.
    virtual Task<std::vector<StockGate::Copy>> hot_copies(Timestamp now) = 0;

    /// The same for one sale; nullopt when there is no such sale.
    virtual Task<std::optional<StockGate::Copy>> hot_copy(SaleId sale) = 0;

    /// Begins the next epoch of the sale's hot copy and reads what it is filled from, in one
    /// transaction: each change to the sale is either in the copy or is a move of the new epoch.
    /// The epoch's number is above that of the sale, above `above`, and above the milliseconds of
    /// `now`, so that it never comes twice, not even after a restore. nullopt when there is no such
    /// sale.
    virtual Task<std::optional<StockGate::Copy>> begin_epoch(SaleId sale, std::int64_t above,
                                                             Timestamp now) = 0;
};

}  // namespace sluice
