#pragma once

#include <chrono>

#include "ports/order_ledger.hpp"

namespace sluice {

/// Waits until a queued ticket is decided, by reading the journal again and again. Returns the
/// ticket as it is then. It is still queued if the time is over or the journal cannot be read; what
/// the buyer was promised holds in both cases.
Task<TicketRecord> await_decision(OrderLedger& ledger, TicketRecord queued, UserId buyer,
                                  std::chrono::milliseconds longest);

}  // namespace sluice
