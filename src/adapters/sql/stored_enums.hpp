#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "adapters/sql/stored_enum.hpp"
#include "domain/order.hpp"
#include "domain/order_delivery.hpp"
#include "domain/payment.hpp"
#include "domain/sale.hpp"
#include "domain/ticket.hpp"
#include "domain/user.hpp"
#include "domain/webhook.hpp"

namespace sluice {

/// As text that is written and never read back as an enum.
struct WrittenByName {
    static std::string_view put(auto value) { return to_string(value); }
};

/// As text, by the names of the domain. `parse` returns nullopt for any other text.
template <auto parse>
struct StoredByName : WrittenByName {
    static auto take(std::string_view text) { return parse(text); }
};

template <>
struct StoredEnum<Audience> : StoredByName<parse_audience> {};
template <>
struct StoredEnum<Challenge> : StoredByName<parse_challenge> {};
template <>
struct StoredEnum<DeliveryState> : StoredByName<parse_delivery_state> {};
template <>
struct StoredEnum<EventType> : StoredByName<parse_event_type> {};
template <>
struct StoredEnum<OrderDeliveryState> : StoredByName<parse_order_delivery_state> {};
template <>
struct StoredEnum<OrderState> : StoredByName<parse_order_state> {};
template <>
struct StoredEnum<PaymentState> : StoredByName<parse_payment_state> {};
template <>
struct StoredEnum<Role> : StoredByName<parse_role> {};
template <>
struct StoredEnum<SaleKind> : StoredByName<parse_sale_kind> {};
template <>
struct StoredEnum<EventOutcome> : WrittenByName {};
template <>
struct StoredEnum<PaymentEvent::Type> : WrittenByName {};
template <>
struct StoredEnum<RefundReason> : WrittenByName {};

/// The journal keeps a ticket's state as its number.
template <>
struct StoredEnum<TicketState> {
    static std::int64_t put(TicketState state) { return static_cast<std::int64_t>(state); }
    static std::optional<TicketState> take(std::int64_t number);
};

/// The journal has names for the reasons that a ticket can have; put() CHECKs that it is one of
/// them.
template <>
struct StoredEnum<Reason> {
    static std::string_view put(Reason reason);
    static std::optional<Reason> take(std::string_view text);
};

}  // namespace sluice
