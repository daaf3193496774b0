#pragma once

#include "adapters/sql/ledgers/engine.hpp"
#include "ports/order_ledger.hpp"

namespace sluice::ledgers {

/// Returns an order's units: the order's state, the sale's stock, its buyer's holdings and the hot
/// outbox change together, in a transaction of the caller. So no unit is lost between them.

/// For one order that may become `to`. Throws when its units are not where they should be: then
/// somebody else has changed the rows, and nothing must be changed here.
OrderLedger::GivenBack give_back(Database&, Order order, OrderState to, Timestamp now, News&);

/// For all orders that are due after that place. The stock of a sale changes once for all its
/// orders.
OrderLedger::Expired expire_orders(Database&, Timestamp now, std::size_t limit,
                                   OrderLedger::DuePlace after, News&);

std::optional<Timestamp> find_next_due(Database&, OrderLedger::DuePlace after);

}  // namespace sluice::ledgers
