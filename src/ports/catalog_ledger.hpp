#pragma once

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

    /// Refuses with conflict when the item's version is not the one before `item.version`: somebody
    /// else changed it meanwhile.
    virtual Task<Outcome<Done>> update_item(Item item, Deed deed) = 0;

    /// Refuses with conflict when at `sale.created_at` a standing sale of the item has not ended
    /// yet and this is another one.
    virtual Task<Outcome<Created>> add_sale(Sale sale, Deed deed,
                                            std::optional<Receipt> receipt) = 0;

    /// As update_item. The stock is moved by the difference of the totals, so that units taken
    /// meanwhile stay taken; conflict when that would leave fewer than none, or when at `deed.at`
    /// another standing sale has taken this one's place. Returns the sale as it is on record now.
    virtual Task<Outcome<Sale>> update_sale(Sale sale, Deed deed) = 0;
};

}  // namespace sluice
