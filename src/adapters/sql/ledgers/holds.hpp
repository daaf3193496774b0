#pragma once

#include <vector>

#include "adapters/sql/ledgers/engine.hpp"
#include "ports/order_ledger.hpp"
#include "ports/order_list.hpp"

namespace sluice::ledgers {

/// OrderList::holds, in a transaction that is the caller's.
HoldsOfSale read_holds(Database&, SaleId, Timestamp now);

/// The first step of OrderLedger::give_back_holds: which orders there are.
struct FoundHolds {
    std::vector<OrderId> orders;  // no more than the limit
    bool more = false;
};
FoundHolds find_holds(Database&, const OrderLedger::HoldsWanted& wanted);

/// The second step, in a transaction that is the caller's. What has been decided about an order
/// since it was found stands.
OrderLedger::HoldsGivenBack give_back_found(Database&, const OrderLedger::HoldsWanted& wanted,
                                            const FoundHolds& found, Deed deed, News&);

}  // namespace sluice::ledgers
