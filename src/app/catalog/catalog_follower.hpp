#pragma once

#include "app/catalog/catalog.hpp"
#include "ports/catalog_changes.hpp"

namespace sluice {

/// Brings the catalog up to date when another process has changed the ledger.
class CatalogFollower {
  public:
    CatalogFollower(Catalog& catalog, CatalogChanges& changes)
        : catalog_(catalog), changes_(changes) {}

    /// Reads what has changed, or everything when much has changed or something is gone. May throw
    /// Outage.
    Task<> catch_up();

  private:
    CatalogChanges::Known known() const;

    Catalog& catalog_;
    CatalogChanges& changes_;
};

}  // namespace sluice
