#pragma once

#include "adapters/sql/ledgers/engine.hpp"
#include "ports/delivery_ledger.hpp"

namespace sluice::ledgers {

class Deliveries final : public DeliveryLedger {
  public:
    Deliveries(Writer& writer, Readers& readers) : writer_(writer), readers_(readers) {}

    Task<std::map<OrderId, OrderDelivery>> find(std::vector<OrderId> orders) override;
    Task<Outcome<OrderDelivery>> change(OrderId order, OrderDeliveryWish wish, Deed deed) override;

  private:
    Writer& writer_;
    Readers& readers_;
};

/// In the ledger itself, also of an archived order: deliveries are never archived.
OrderDelivery find_delivery(Database& ledger, OrderId order);

}  // namespace sluice::ledgers
