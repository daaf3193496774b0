#pragma once

#include "adapters/sql/ledgers/engine.hpp"
#include "ports/catalog_ledger.hpp"

namespace sluice::ledgers {

class Catalog final : public CatalogLedger {
  public:
    Catalog(Writer& writer, Readers& readers, News& news)
        : writer_(writer), readers_(readers), news_(news) {}

    Task<Contents> load() override;
    Task<Outcome<Created>> add_item(Item item, Deed deed, std::optional<Receipt> receipt) override;
    Task<Outcome<Done>> update_item(Item item, Deed deed) override;
    Task<Outcome<Created>> add_sale(Sale sale, Deed deed, std::optional<Receipt> receipt) override;
    Task<Outcome<SaleChanged>> change_sale(SaleId id, DecideSale decide,
                                           std::optional<Receipt> receipt) override;

  private:
    Writer& writer_;
    Readers& readers_;
    News& news_;
};

/// Inside a transaction of the caller, who rolls it back after a refusal.
std::optional<Sale> find_sale(Database&, SaleId);
CatalogLedger::Contents load_contents(Database&);
Outcome<Done> insert_sale(Database&, const Sale&);
Outcome<CatalogLedger::SaleChanged> change_sale(Database&, SaleId, const CatalogLedger::DecideSale&,
                                                const std::optional<Receipt>&, News&);

}  // namespace sluice::ledgers
