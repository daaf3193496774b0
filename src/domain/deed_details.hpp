#pragma once

#include <string>

#include "domain/block.hpp"
#include "domain/holds.hpp"
#include "domain/order.hpp"
#include "domain/order_delivery.hpp"
#include "domain/payment.hpp"
#include "domain/webhook.hpp"

namespace sluice {

// The JSON that the audit trail has for the state before and after a deed, where a ledger decides
// the change inside its transaction.

std::string deed_details(OrderState state);
std::string deed_details(const Delivery& delivery);
std::string deed_details(const OrderDelivery& delivery);

/// Money that an operator has sent back by hand.
struct SentBack {
    ChargeId refund;
    std::string provider;
    std::string charge_ref;
    std::int64_t amount_cents = 0;
    std::string currency;
};
std::string deed_details(const SentBack& money);

/// A ticket that is parked, and what has become of a ticket.
struct ParkedNote {
    UserId buyer;
    std::int64_t quantity = 0;
    std::string reason;
    std::int64_t tries = 0;
};
std::string deed_details(const ParkedNote& parked);
std::string deed_details(TicketState state);
/// A ticket that was handed off and then found nowhere.
std::string deed_details_of_lost_ticket();

/// How much of a buyer's contact details was erased. What it was must not be in the trail.
struct ErasedContacts {
    bool stored = false;
    std::size_t orders = 0;
};
std::string deed_details(const ErasedContacts& erased);

/// Holds that an operator has given back.
std::string deed_details(const BlockSubject& whose, const Held& held);

}  // namespace sluice
