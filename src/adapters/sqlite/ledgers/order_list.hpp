#pragma once

#include "adapters/sqlite/engine/reader_pool.hpp"
#include "ports/order_list.hpp"

namespace sluice::sqlite {

class AnyOrders final : public OrderList {
  public:
    explicit AnyOrders(ReaderPool& readers) : readers_(readers) {}

    Task<std::vector<Row>> list(Wanted wanted) override;
    Task<HoldsOfSale> holds(SaleId sale, Timestamp now) override;

  private:
    ReaderPool& readers_;
};

}  // namespace sluice::sqlite
