#pragma once

#include "adapters/sqlite/reader_pool.hpp"
#include "adapters/sqlite/stock_news.hpp"
#include "adapters/sqlite/writer.hpp"
#include "ports/catalog_ledger.hpp"

namespace sluice::sqlite {

class Catalog final : public CatalogLedger {
  public:
    Catalog(Writer& writer, ReaderPool& readers, StockNews& news)
        : writer_(writer), readers_(readers), news_(news) {}

    Task<Contents> load() override;
    Task<Outcome<Created>> add_item(Item item, Deed deed, std::optional<Receipt> receipt) override;
    Task<Outcome<Done>> update_item(Item item, Deed deed) override;
    Task<Outcome<Created>> add_sale(Sale sale, Deed deed, std::optional<Receipt> receipt) override;
    Task<Outcome<Done>> update_sale(Sale sale, Deed deed) override;

  private:
    Writer& writer_;
    ReaderPool& readers_;
    StockNews& news_;
};

/// Inside a write.
std::optional<Sale> find_sale(Database&, SaleId);

}  // namespace sluice::sqlite
