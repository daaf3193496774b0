#pragma once

#include <map>
#include <optional>

#include "ports/catalog_ledger.hpp"

namespace sluice {

/// What has changed in the catalog since it was last read, without reading all of it again: other
/// processes commit many times a second, and mostly in a few sales. May throw Outage.
class CatalogChanges {
  public:
    virtual ~CatalogChanges() = default;

    struct Known {
        std::map<ItemId, std::int64_t> items;  // their versions
        std::map<SaleId, std::int64_t> sales;  // the numbers of their news
    };
    /// The items and sales that are new, or whose number is not the known one. Nothing when a known
    /// one is gone, or when so much has changed that load() is cheaper.
    virtual Task<std::optional<CatalogLedger::Contents>> since(Known known) = 0;

    /// More changes than this are too many.
    static constexpr std::size_t kMost = 500;
};

}  // namespace sluice
