#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/task.hpp"
#include "domain/deed.hpp"
#include "domain/payment.hpp"
#include "ports/order_ledger.hpp"
#include "ports/receipt.hpp"

namespace sluice {

/// Money in the ledger. Each call is one transaction, decided by compare-and-set on the order's
/// state. So these promises hold (docs/adr/0030-money-in-one-transaction.md): at most one capture
/// for an order; any other money is owed back from the same transaction on, once; captures minus
/// their refunds are the paid orders. May throw Outage, as UserLedger.
class PaymentLedger {
  public:
    virtual ~PaymentLedger() = default;

    /// The order's open payment, or `draft` as a new one, for the price of the order. Refuses with
    /// not_found when the order is not the buyer's, with conflict when it is not pending at
    /// `draft.created_at` or has had too many payments.
    virtual Task<Outcome<Payment>> begin(Payment draft, UserId buyer) = 0;

    /// Notes the provider's bill, unless there is one, and keeps the receipt.
    virtual Task<Outcome<Created>> keep_bill(PaymentId id, Bill bill,
                                             std::optional<Receipt> receipt) = 0;

    struct Taken {
        EventOutcome outcome = EventOutcome::noted;
        std::optional<OrderId> order;
        std::optional<SaleId> returned;  // the order turned out to be due, and its units returned
    };
    /// Handles an event, once for its id. Money is counted once for its name at the provider.
    /// `event.charge.id` is used if the charge is new; the charge belongs to the provider that
    /// reports it. Refuses with not_found when there is no such payment; nothing is stored then.
    virtual Task<Outcome<Taken>> take(PaymentEvent event, Timestamp now) = 0;

    /// Sends back a paid order's money, and returns its units. Refuses with not_found, and with
    /// conflict when the order is neither paid nor refunded. The ledger writes into the deed what
    /// the order was before and is after; refunding a refunded order changes nothing and leaves no
    /// deed.
    virtual Task<Outcome<OrderLedger::GivenBack>> refund(OrderId id, Deed deed) = 0;

    struct OwedRefund {
        PaymentId payment;
        Charge charge;
        std::int64_t attempts = 0;
    };
    struct OwedRefunds {
        std::vector<OwedRefund> due;
        std::map<std::string, std::size_t> owed{};  // by provider, due or not
    };
    /// At most `limit` refunds of money that this provider took and that are to be tried at `now`,
    /// the longest due first.
    virtual Task<OwedRefunds> owed_refunds(std::string provider, Timestamp now,
                                           std::size_t limit) = 0;
    virtual Task<Done> note_refunded(ChargeId id, Timestamp now) = 0;
    virtual Task<Done> put_off_refund(ChargeId id, Timestamp until) = 0;

    /// An operator reports that the money was sent back outside. The ledger writes into the deed
    /// which money it is. Repeating it, or reporting a refund that is done, changes nothing and
    /// leaves no deed. Refuses with not_found, and with conflict when `at_work`, the active
    /// provider of this server, took the money and has not been asked for it yet. Returns the
    /// order.
    virtual Task<Outcome<OrderId>> note_sent_back(ChargeId id, std::string at_work, Deed deed) = 0;

    /// Everything that is known of an order's money.
    struct History {
        struct Refund {
            std::string reason;
            Timestamp owed_at;
            std::int64_t attempts = 0;
            std::optional<Timestamp> done_at;
            bool by_hand = false;  // noted by an operator
        };
        struct Money {
            Charge charge;
            PaymentId payment;
            std::string provider;  // that took it
            bool captures = false;
            Timestamp at;
            std::optional<Refund> refund;
        };
        struct Event {
            std::string id;
            PaymentId payment;
            std::string type;
            std::string outcome;
            Timestamp at;
        };
        Order order;
        std::vector<Payment> payments;  // each of these in the order of time
        std::vector<Money> money;
        std::vector<Event> events;  // the latest hundred
    };
    virtual Task<std::optional<History>> history(OrderId id) = 0;
};

}  // namespace sluice
