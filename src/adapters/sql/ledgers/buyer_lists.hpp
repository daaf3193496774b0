#pragma once

#include "adapters/sql/ledgers/engine.hpp"
#include "ports/buyer_list_ledger.hpp"

namespace sluice::ledgers {

class BuyerLists final : public BuyerListLedger {
  public:
    BuyerLists(Writer& writer, Readers& readers, News& news)
        : writer_(writer), readers_(readers), news_(news) {}

    Task<Outcome<Changed>> change(Change change) override;
    Task<Shown> show(SaleId sale) override;
    Task<bool> names(SaleId sale, UserId user, PhoneForm form) override;
    Task<Page> page(Wanted wanted) override;
    Task<std::size_t> prune(Timestamp over_before, std::size_t limit) override;

  private:
    Writer& writer_;
    Readers& readers_;
    News& news_;
};

}  // namespace sluice::ledgers
