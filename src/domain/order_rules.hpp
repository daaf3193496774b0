#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "domain/order.hpp"
#include "domain/refusal.hpp"
#include "domain/sale.hpp"

namespace sluice {

/// What a ledger does about a request that the rules allow.
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

/// Holds that a buyer has left unpaid in a sale: expired, or cancelled while they were pending.
struct UnpaidHolds {
    std::int64_t count = 0;
    std::optional<Timestamp> latest;  // the end of the hold, also of one that was cancelled
};
inline constexpr std::chrono::seconds kLeastUnpaidWait{60};
inline constexpr std::chrono::seconds kMostUnpaidWait{86'400};

/// Until when the buyer has to wait for another pass in the sale. From the sale's `unpaid_limit` on
/// it lasts as long as a hold, at least a minute, and twice as long with each further one, up to a
/// day.
std::optional<Timestamp> unpaid_wait_until(const UnpaidHolds& unpaid, const Sale& sale);

/// Payments of one order: more than anybody needs whose card works.
inline constexpr std::size_t kMostPayments = 20;

/// The payments of an order so far.
struct PaymentFacts {
    bool has_open = false;  // one of them still waits for its outcome
    std::size_t count = 0;
};
/// Why the order cannot be paid; nullopt when it can. An open payment is used again, so the limit
/// counts only when a new one would begin.
std::optional<Refusal> why_not_payable(const Order& order, const PaymentFacts& payments,
                                       Timestamp now);

}  // namespace sluice
