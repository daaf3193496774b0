#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/timestamp.hpp"
#include "domain/hot_change.hpp"
#include "domain/order.hpp"
#include "domain/order_delivery.hpp"
#include "domain/ticket.hpp"
#include "ports/parked_ledger.hpp"

namespace sluice {

/// A line of the journal.
struct JournalRow {
    UserId buyer;
    SaleId sale;
    Mark mark{};
    std::int64_t quantity = 0;
    std::int64_t epoch = 0;
    TicketState state = TicketState::prepared;
    std::optional<Reason> reason;
    std::optional<OrderId> order;
    Mark pass{};
    std::optional<Mark> key;
    Timestamp claimed_at;
    std::optional<Mark> same_as;
};
TicketRecord to_record(const JournalRow& row);
Ticket to_ticket(const JournalRow& row);
JournalRow to_row(const Ticket& ticket, const TicketRecord& record);

/// A ticket that is parked.
struct ParkedRow {
    SaleId sale;
    Mark mark{};
    UserId buyer;
    std::int64_t quantity = 0;
    std::int64_t epoch = 0;
    Mark pass{};
    std::optional<Mark> key;
    Timestamp claimed_at;
    std::string reason;
    Timestamp parked_at;
    std::int64_t tries = 0;
};
ParkedTicket to_parked(ParkedRow row);
/// A reason that is too long is cut, and invalid UTF-8 is replaced: parking a ticket must not fail
/// because of the text of a failure.
ParkedRow to_row(const ParkedTicket& parked);

struct OrderRow {
    OrderId id;
    SaleId sale;
    ItemId item;
    UserId buyer;
    Mark mark{};
    std::int64_t quantity = 0;
    std::int64_t price_cents = 0;
    std::string currency;
    OrderState state = OrderState::pending;
    Timestamp created_at;
    Timestamp expires_at;
    std::optional<Timestamp> paid_at;
};
Order to_order(OrderRow row);
OrderRow to_row(const Order& order);

struct OrderDeliveryRow {
    OrderDeliveryState state = OrderDeliveryState::none;
    std::string carrier;
    std::string number;
    Timestamp changed_at;
};
OrderDelivery to_order_delivery(OrderDeliveryRow row);

/// An order that is due to expire.
struct DueOrderRow {
    OrderId id;
    SaleId sale;
    UserId buyer;
    std::int64_t quantity = 0;
    Timestamp at;
};

/// What a hot copy is filled with, besides the holdings.
struct LiveSaleRow {
    SaleId id;
    std::int64_t epoch = 0;
    std::int64_t left = 0;
    std::int64_t hot_seq = 0;
};

struct HotChangeRow {
    std::int64_t seq = 0;
    std::int64_t delta_left = 0;
    std::optional<UserId> buyer;
    std::int64_t delta_units = 0;
};
HotChange to_hot_change(const HotChangeRow& row);

}  // namespace sluice
