#include "adapters/sql/order_rows.hpp"

#include <algorithm>
#include <utility>

#include "base/encoding.hpp"

namespace sluice {
namespace {

constexpr std::size_t kLongestReason = 1'000;

std::string storable(std::string reason) {
    if (!is_utf8(reason))
        std::ranges::replace_if(
            reason, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, '?');
    if (reason.size() <= kLongestReason) return reason;
    reason.resize(kLongestReason);
    while (!is_utf8(reason)) reason.pop_back();
    return reason;
}

}  // namespace

TicketRecord to_record(const JournalRow& row) {
    TicketRecord record{.id = {row.sale, row.mark},
                        .state = row.state,
                        .quantity = row.quantity,
                        .order = row.order,
                        .reason = row.reason,
                        .same_as = std::nullopt,
                        .pass = row.pass,
                        .key = row.key,
                        .claimed_at = row.claimed_at};
    if (row.same_as) record.same_as = TicketId{row.sale, *row.same_as};
    return record;
}

Ticket to_ticket(const JournalRow& row) {
    return {.id = {row.sale, row.mark},
            .buyer = row.buyer,
            .quantity = row.quantity,
            .epoch = row.epoch,
            .pass = row.pass,
            .key = row.key,
            .claimed_at = row.claimed_at};
}

JournalRow to_row(const Ticket& ticket, const TicketRecord& record) {
    JournalRow row{.buyer = ticket.buyer,
                   .sale = ticket.id.sale,
                   .mark = ticket.id.mark,
                   .quantity = ticket.quantity,
                   .epoch = ticket.epoch,
                   .state = record.state,
                   .reason = record.reason,
                   .order = record.order,
                   .pass = ticket.pass,
                   .key = ticket.key,
                   .claimed_at = ticket.claimed_at,
                   .same_as = std::nullopt};
    if (record.same_as) row.same_as = record.same_as->mark;
    return row;
}

ParkedTicket to_parked(ParkedRow row) {
    return {.ticket = {.id = {row.sale, row.mark},
                       .buyer = row.buyer,
                       .quantity = row.quantity,
                       .epoch = row.epoch,
                       .pass = row.pass,
                       .key = row.key,
                       .claimed_at = row.claimed_at},
            .reason = std::move(row.reason),
            .parked_at = row.parked_at,
            .tries = row.tries};
}

ParkedRow to_row(const ParkedTicket& parked) {
    const auto& ticket = parked.ticket;
    return {.sale = ticket.id.sale,
            .mark = ticket.id.mark,
            .buyer = ticket.buyer,
            .quantity = ticket.quantity,
            .epoch = ticket.epoch,
            .pass = ticket.pass,
            .key = ticket.key,
            .claimed_at = ticket.claimed_at,
            .reason = storable(parked.reason),
            .parked_at = parked.parked_at,
            .tries = parked.tries};
}

Order to_order(OrderRow row) {
    return {.id = row.id,
            .ticket = {row.sale, row.mark},
            .sale_id = row.sale,
            .item_id = row.item,
            .buyer = row.buyer,
            .quantity = row.quantity,
            .price_cents = row.price_cents,
            .currency = std::move(row.currency),
            .state = row.state,
            .created_at = row.created_at,
            .expires_at = row.expires_at,
            .paid_at = row.paid_at,
            .payment_failed = false};
}

OrderRow to_row(const Order& order) {
    return {.id = order.id,
            .sale = order.sale_id,
            .item = order.item_id,
            .buyer = order.buyer,
            .mark = order.ticket.mark,
            .quantity = order.quantity,
            .price_cents = order.price_cents,
            .currency = order.currency,
            .state = order.state,
            .created_at = order.created_at,
            .expires_at = order.expires_at,
            .paid_at = order.paid_at};
}

OrderDelivery to_order_delivery(OrderDeliveryRow row) {
    return {.state = row.state,
            .carrier = std::move(row.carrier),
            .number = std::move(row.number),
            .changed_at = row.changed_at};
}

HotChange to_hot_change(const HotChangeRow& row) {
    return {.seq = row.seq,
            .delta_left = row.delta_left,
            .buyer = row.buyer,
            .delta_units = row.delta_units};
}

}  // namespace sluice
