#pragma once

#include "ports/order_intake.hpp"

namespace sluice::testing_support {

/// Reserves a slot and submits, as a purchase does. Without a slot it is not taken.
inline Task<OrderIntake::Taken> hand_in(OrderIntake& intake, Ticket ticket) {
    auto slot = intake.reserve();
    if (!slot) {
        OrderIntake::Taken none;
        none.fate = OrderIntake::Fate::not_taken;
        none.record.id = ticket.id;
        co_return none;
    }
    auto taken = co_await intake.submit(std::move(*slot), std::move(ticket));
    co_return taken;
}

}  // namespace sluice::testing_support
