#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/task.hpp"
#include "domain/deed.hpp"
#include "domain/item.hpp"
#include "domain/sale.hpp"
#include "ports/receipt.hpp"

namespace sluice {

/// The system of record for items and sales. Each change writes its deed in the same
/// transaction. May throw Outage, as UserLedger.
class CatalogLedger {
  public:
    virtual ~CatalogLedger() = default;

    struct Contents {
        std::vector<Item> items;
        std::vector<Sale> sales;
    };
    /// Everything, ordered by id.
    virtual Task<Contents> load() = 0;

    virtual Task<Outcome<Created>> add_item(Item item, Deed deed,
                                            std::optional<Receipt> receipt) = 0;

    /// Refuses with conflict when the stored version is not the one before `item.version`: somebody
    /// else changed the item meanwhile.
    virtual Task<Outcome<Done>> update_item(Item item, Deed deed) = 0;

    /// Refuses with conflict when this is a standing sale and at `sale.created_at` another standing
    /// sale of the item has not ended yet.
    virtual Task<Outcome<Created>> add_sale(Sale sale, Deed deed,
                                            std::optional<Receipt> receipt) = 0;

    /// The sale as it is to be, with the next version, and the deed for it.
    struct SaleChange {
        Sale after;
        Deed deed;
    };
    /// Decides on the sale as it is in the ledger; returns nothing when nothing has to be done.
    /// Called inside the transaction: from the call to the commit nobody else changes the sale or
    /// writes a ticket for it. So the deed gets its time and id here: every ticket that the ledger
    /// wrote before was claimed before, and every later one is judged by what is decided here. Runs
    /// on a thread of the ledger; it must not block.
    using DecideSale = std::function<Outcome<std::optional<SaleChange>>(const Sale& before)>;

    struct SaleChanged {
        Sale before;
        Sale after;  // the same version when nothing was done
    };
    /// Refuses with not_found when there is no such sale, with conflict when at the deed's time
    /// another standing sale has replaced this one, and as `decide` does. With a receipt it is done
    /// once.
    virtual Task<Outcome<SaleChanged>> change_sale(SaleId id, DecideSale decide,
                                                   std::optional<Receipt> receipt) = 0;
};

}  // namespace sluice
