#pragma once

#include <chrono>

#include "ports/order_ledger.hpp"

namespace sluice {

/// Waits until a ticket that is queued is decided, by looking at the journal again and again. The
/// ticket as it stands then; still queued when the time is over, or when the journal cannot be
/// read: the buyer's yes stands either way.
Task<TicketRecord> await_decision(OrderLedger& ledger, TicketRecord queued, UserId buyer,
                                  std::chrono::milliseconds longest);

}  // namespace sluice
