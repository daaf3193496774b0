#pragma once

#include <cstddef>

#include "domain/order.hpp"
#include "domain/refusal.hpp"

namespace sluice {

/// What a ledger does about a wish that the rules allow.
enum class Step {
    write,
    stands,  // it was done before: nothing is written, and the order is as it is
};

/// The buyer gives a pending order back.
Outcome<Step> judge_cancel(const Order& order, Timestamp now);

/// An operator gives the money of a paid order back.
Outcome<Step> judge_refund(const Order& order);

/// The units of an order that is due are given back only while they are where they should be: among
/// those that are held in its sale. Whether its buyer holds them is checked by the write.
bool can_expire(std::int64_t quantity, std::int64_t held_in_sale);

/// Why no further payment of the order may begin; nullopt when one may. `payments`: of this order,
/// so far.
std::optional<Refusal> why_not_payable(const Order& order, std::size_t payments, std::size_t most,
                                       Timestamp now);

}  // namespace sluice
