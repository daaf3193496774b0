#pragma once

#include "adapters/sql/ledgers/engine.hpp"
#include "ports/order_ledger.hpp"

namespace sluice::ledgers {

/// How an order's units return: its state, the sale's stock, its buyer's holdings and the hot
/// outbox together, in a transaction that is the caller's. What was in only one of these places is
/// nowhere lost.

/// Of one order that may become `to`. Throws when its units are not where they should be: somebody
/// else has been at the rows, and nothing is to be changed then.
OrderLedger::GivenBack give_back(Database&, Order order, OrderState to, Timestamp now, News&);

/// Of whatever is due after that place. The stock of a sale moves once for all its orders.
OrderLedger::Expired expire_orders(Database&, Timestamp now, std::size_t limit,
                                   OrderLedger::DuePlace after, News&);

std::optional<Timestamp> find_next_due(Database&, OrderLedger::DuePlace after);

}  // namespace sluice::ledgers
