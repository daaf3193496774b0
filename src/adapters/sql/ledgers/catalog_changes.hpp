#pragma once

#include "adapters/sql/ledgers/engine.hpp"
#include "ports/catalog_changes.hpp"

namespace sluice::ledgers {

class CatalogChanges final : public sluice::CatalogChanges {
  public:
    explicit CatalogChanges(Readers& readers) : readers_(readers) {}

    Task<std::optional<CatalogLedger::Contents>> since(Known known) override;

  private:
    Readers& readers_;
};

}  // namespace sluice::ledgers
