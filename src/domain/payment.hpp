#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/timestamp.hpp"
#include "domain/ids.hpp"
#include "domain/order.hpp"

namespace sluice {

/// Pending until the provider reports about it. Captured: its money has paid the order. Refunded:
/// all of its money goes back.
enum class PaymentState { pending, captured, failed, refunded };

std::string_view to_string(PaymentState);
std::optional<PaymentState> parse_payment_state(std::string_view);

/// A payment as the provider keeps it.
struct Bill {
    std::string ref;  // the provider's name for it
    std::string url;  // where the buyer pays it; begins with a slash when that is on this server
};

/// One attempt to pay an order.
struct Payment {
    PaymentId id;
    OrderId order;
    std::string provider;
    std::int64_t amount_cents = 0;
    std::string currency;
    PaymentState state = PaymentState::pending;
    std::optional<Bill> bill;  // once the provider has reported it
    Timestamp created_at;
};

/// Money that a provider took.
struct Charge {
    ChargeId id;      // ours; also the key under which it is refunded
    std::string ref;  // the provider's name for it: told twice it is the same money
    std::int64_t amount_cents = 0;
    std::string currency;
};

enum class RefundReason { late, surplus, mismatch, operator_ };

std::string_view to_string(RefundReason);

/// Unusual money, by which operators look for orders: sent back for this reason, whether that is
/// done or not; or still owed, for any reason.
enum class OrderMoney { late, surplus, mismatch, owed };

std::string_view to_string(OrderMoney);
std::optional<OrderMoney> parse_order_money(std::string_view);

/// Why the money cannot pay the order, and so has to go back; nothing when it can. Late: the order
/// is over, or is so at this very instant. Surplus: it was paid before. Mismatch: another amount or
/// currency than was asked for.
std::optional<RefundReason> why_refund(const Charge&, const Payment&, const Order&, Timestamp now);

/// Events come late, doubled and in any order. So money counts whenever it comes, and a failure
/// counts only as long as nothing else is known.
PaymentState after_money(PaymentState, bool captured);
PaymentState after_failure(PaymentState);

/// What a provider reports. The id is the provider's; a repeated id is the same event.
struct PaymentEvent {
    enum class Type { payment_succeeded, payment_failed, refund_succeeded };

    std::string provider;
    std::string id;
    Type type = Type::payment_failed;
    PaymentId payment;
    Charge charge;                   // with payment_succeeded
    std::optional<ChargeId> refund;  // with refund_succeeded
};

std::string_view to_string(PaymentEvent::Type);
std::optional<PaymentEvent::Type> parse_payment_event_type(std::string_view);

/// The effect of an event: its money has paid the order, or goes back; the attempt to pay has
/// failed; nothing has changed; the event was reported before.
enum class EventOutcome { captured, refunded, failed, noted, repeated };

std::string_view to_string(EventOutcome);

/// The facts of the ledger that an event needs.
struct EventFacts {
    bool is_charge_known = false;  // this money was reported before
    const Order* order = nullptr;  // of the payment; with payment_succeeded
};
/// What has to be written for an event.
struct EventPlan {
    EventOutcome outcome = EventOutcome::noted;
    std::optional<RefundReason> refund = {};       // with money that goes back
    bool ends_order = false;                       // too late: the order is not pending any more
    PaymentState payment = PaymentState::pending;  // afterwards
};
EventPlan plan_for(const PaymentEvent& event, const Payment& payment, const EventFacts& facts,
                   Timestamp now);

/// Whether an operator may report that money was sent back by hand, while the provider `at_work`
/// sends back its own: not before it has tried.
bool may_send_back_by_hand(std::string_view provider, std::string_view at_work,
                           std::int64_t attempts);

}  // namespace sluice
