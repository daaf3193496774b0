#pragma once

#include "adapters/sql/ledgers/engine.hpp"
#include "ports/order_list.hpp"

namespace sluice::ledgers {

class AnyOrders final : public OrderList {
  public:
    explicit AnyOrders(Readers& readers) : readers_(readers) {}

    Task<std::vector<Row>> list(Wanted wanted) override;
    Task<HoldsOfSale> holds(SaleId sale, Timestamp now) override;

  private:
    Readers& readers_;
};

}  // namespace sluice::ledgers
