#pragma once

#include "ports/order_intake.hpp"

namespace sluice::testing_support {

/// Reserves a place and submits, as a purchase does. Without a place it is not taken.
inline Task<OrderIntake::Taken> hand_in(OrderIntake& intake, Ticket ticket) {
    auto place = intake.reserve();
    if (!place) {
        OrderIntake::Taken none;
        none.fate = OrderIntake::Fate::not_taken;
        none.record.id = ticket.id;
        co_return none;
    }
    auto taken = co_await intake.submit(std::move(*place), std::move(ticket));
    co_return taken;
}

}  // namespace sluice::testing_support
