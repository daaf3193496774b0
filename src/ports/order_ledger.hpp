#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/task.hpp"
#include "domain/block.hpp"
#include "domain/deed.hpp"
#include "domain/holds.hpp"
#include "domain/order.hpp"
#include "domain/order_rules.hpp"
#include "domain/sale.hpp"
#include "ports/receipt.hpp"
#include "ports/stock_gate.hpp"

namespace sluice {

/// Tickets and orders as the ledger has them, and the ways back. May throw Outage, as UserLedger.
class OrderLedger {
  public:
    virtual ~OrderLedger() = default;

    /// What the journal knows about a wish. Costs the same however many tickets the buyer has.
    struct Past {
        std::vector<TicketRecord> same_wish;  // under the same ticket, pass or key
        std::optional<TicketRecord> latest;   // of the buyer in the sale, by the time of the claim
    };
    virtual Task<Past> past(Ticket wish) = 0;

    virtual Task<std::optional<TicketRecord>> latest_ticket(SaleId sale, UserId buyer) = 0;

    /// Only the buyer's own.
    virtual Task<std::optional<TicketRecord>> ticket(TicketId id, UserId buyer) = 0;
    virtual Task<std::optional<Order>> order(OrderId id, UserId buyer) = 0;
    virtual Task<UnpaidHolds> unpaid_holds(SaleId sale, UserId buyer) = 0;
    /// The newest first, older than `before` when given.
    virtual Task<std::vector<Order>> orders(UserId buyer, std::optional<OrderId> before,
                                            std::size_t limit) = 0;

    // Ways back. Each writes a row of the sale's hot outbox in its transaction; the hot copy learns
    // of the units from there.

    /// The order as it is now.
    struct GivenBack {
        Order order;
        bool fresh = true;  // false: it had happened before
    };
    /// Compare-and-set on the order's state. Refuses with not_found when it is not the buyer's,
    /// with conflict when the order is neither pending at `now` nor cancelled.
    virtual Task<Outcome<GivenBack>> cancel(OrderId id, UserId buyer, Timestamp now) = 0;

    /// Pending orders of a sale: those of one buyer, or those of that network (see
    /// OrderList::holds).
    struct HoldsWanted {
        SaleId sale;
        BlockSubject of;
        Timestamp now;
        std::size_t limit = 0;
        OrderId after{};  // only newer ones
    };
    struct HoldsGivenBack {
        Held held;       // what was cancelled
        OrderId last{};  // the last that was looked at; `after` when there was none
        bool more = false;
    };
    /// Cancels them for an operator, by the rule of cancel(). Looks at no more than `limit`, the
    /// oldest first, and cancels them in one transaction; the deed is in it, with what was
    /// cancelled as its `after`, unless that is nothing. An order whose units are not where they
    /// should be is left as it is, for sluice audit to name. Orders that are made meanwhile may be
    /// missed. To be repeated with `last` while there is more, and from the beginning at any time:
    /// what is cancelled is not pending any more. Writing costs what is cancelled. Looking for the
    /// orders of a network costs what is held of the sale, and keeps nobody from writing.
    virtual Task<HoldsGivenBack> give_back_holds(HoldsWanted wanted, Deed deed) = 0;

    /// A place in the list of pending orders, sorted by when they are due. None comes before
    /// DuePlace{}.
    struct DuePlace {
        Timestamp at{};
        OrderId order{};

        friend auto operator<=>(const DuePlace&, const DuePlace&) = default;
    };
    /// When the first pending order after that place is due, or was; nullopt when there is none.
    virtual Task<std::optional<Timestamp>> next_due(DuePlace after) = 0;

    struct Expired {
        std::size_t orders = 0;      // that were expired
        std::vector<SaleId> sales;   // of these orders, each once
        std::vector<OrderId> stuck;  // due, but their units are not where they should be: left as
                                     // they are, for sluice audit to name
        DuePlace last;               // the last that was looked at; `after` when none was due
    };
    /// Looks at no more than `limit` orders after that place that are pending and due at `now`, the
    /// longest due first, and expires them, all in one transaction. An order that is also being
    /// decided elsewhere ends in one way only.
    virtual Task<Expired> expire(Timestamp now, std::size_t limit, DuePlace after) = 0;

    /// What the journal says of these; tickets that it does not know are left out.
    virtual Task<std::vector<TicketRecord>> tickets(std::vector<Ticket> tickets) = 0;

    struct Fenced {
        std::vector<TicketRecord> records;  // what the journal says of each now
        std::vector<TicketId> stuck;        // failed alone, and were left unchanged
    };
    /// Writes "rolled back" for tickets that the journal does not know: no order can appear for
    /// them any more.
    virtual Task<Fenced> fence(std::vector<Ticket> tickets) = 0;

    /// The rows of the sale's hot outbox after that number, in order, at most `limit`.
    virtual Task<std::vector<HotChange>> hot_changes(SaleId sale, std::int64_t after,
                                                     std::size_t limit) = 0;
    /// Removes rows that are older, at most `limit`; returns how many.
    virtual Task<std::size_t> prune_hot_changes(Timestamp older_than, std::size_t limit) = 0;

    /// The ledger's name: a random word that a restore replaces. A hot copy that was filled under
    /// another name does not belong to this ledger, whatever its epoch.
    virtual Task<std::string> name() = 0;

    /// What a hot copy is filled from, read in one transaction.
    struct HotCopy {
        StockGate::Filling filling;
        std::int64_t left = 0;
        std::int64_t seq = 0;          // number of the last outbox row that is included
        StockGate::Holdings holdings;  // also those who hold nothing now
    };
    /// For the sales that have not ended at `now`, in the epochs that they have.
    virtual Task<std::vector<HotCopy>> hot_copies(Timestamp now) = 0;

    /// The same for one sale; nullopt when there is no such sale.
    virtual Task<std::optional<HotCopy>> hot_copy(SaleId sale) = 0;

    /// Begins the next epoch of the sale's hot copy and reads what it is filled from, in one
    /// transaction: each change to the sale is either in the copy or is an outbox row after it.
    /// The epoch's number is above that of the sale, above `above`, and above the milliseconds of
    /// `now`, so that it never comes twice, not even after a restore. nullopt when there is no such
    /// sale.
    virtual Task<std::optional<HotCopy>> begin_epoch(SaleId sale, std::int64_t above,
                                                     Timestamp now) = 0;
};

}  // namespace sluice
