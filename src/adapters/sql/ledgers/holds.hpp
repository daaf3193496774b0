#pragma once

#include <vector>

#include "adapters/sql/ledgers/engine.hpp"
#include "ports/order_ledger.hpp"
#include "ports/order_list.hpp"

namespace sluice::ledgers {

/// OrderList::holds, in a transaction of the caller.
HoldsOfSale read_holds(Database&, SaleId, Timestamp now);

/// The first step of OrderLedger::give_back_holds: finds the orders.
struct FoundHolds {
    std::vector<OrderId> orders;  // no more than the limit
    bool more = false;
};
FoundHolds find_holds(Database&, const OrderLedger::HoldsWanted& wanted);

/// The second step, in a transaction of the caller. If an order was decided since it was found,
/// that stands.
OrderLedger::HoldsGivenBack give_back_found(Database&, const OrderLedger::HoldsWanted& wanted,
                                            const FoundHolds& found, Deed deed, News&);

}  // namespace sluice::ledgers
