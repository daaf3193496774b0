#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/live_stock.hpp"
#include "domain/item.hpp"
#include "domain/sale.hpp"
#include "ports/catalog_ledger.hpp"

namespace sluice {

/// A sale as it hangs in the shop window, with its JSON made once, but for stock and state: a
/// reader only adds those of the moment and closes what is open.
struct DisplayedSale {
    Sale
        sale;  // its stock is as it was when the sale was last changed: `stock` has the present one
    std::shared_ptr<const Item> item;
    std::shared_ptr<LiveStock> stock;
    std::string json;       // with its item
    std::string json_bare;  // with item_id only, as it stands inside an item
};

std::shared_ptr<const DisplayedSale> display_sale(const Sale&, std::shared_ptr<const Item>,
                                                  std::shared_ptr<LiveStock>);

struct DisplayedItem {
    std::shared_ptr<const Item> item;
    std::shared_ptr<const DisplayedSale> sale;  // the one that counts now, or null
    std::int64_t sold = 0;
};

/// All items and sales, in memory, in front of the ledger: reads never wait, and an id that is
/// not here does not exist. Each change is put here after its commit and before its answer. Safe
/// from any thread.
class Catalog {
  public:
    static constexpr std::size_t kMaxItems = 100'000;
    static constexpr std::size_t kMaxSales = 100'000;
    static constexpr std::size_t kMaxSalesPerItem = 1'000;

    explicit Catalog(CatalogLedger& ledger) : ledger_(ledger) {}

    /// Takes over what the ledger holds: at start, and whenever somebody else has changed it. May
    /// throw Outage.
    Task<> reload();

    void put(const Item& item);
    void put(const Sale& sale);

    /// The ledger has committed this, stock and all. Called in the order of the commits.
    void put_committed(const Sale& sale);

    std::shared_ptr<const DisplayedSale> sale(SaleId id) const;
    std::shared_ptr<const Item> item(ItemId id) const;
    std::optional<DisplayedItem> displayed_item(ItemId id, Timestamp now) const;
    std::size_t sales_of(ItemId id) const;
    /// Has begun and is not over, paused or sold out as it may be.
    bool has_running_flash_sale(ItemId id, Timestamp now) const;
    std::size_t items() const;
    std::size_t sales() const;

    /// The newest first, older than `before` when given.
    std::vector<std::shared_ptr<const DisplayedSale>> list_sales(std::optional<SaleState> state,
                                                                 std::optional<SaleId> before,
                                                                 std::size_t limit,
                                                                 Timestamp now) const;
    std::vector<DisplayedItem> list_items(std::optional<ItemId> before, std::size_t limit,
                                          Timestamp now) const;

  private:
    template <class Id, class Value>
    using NewestFirst = std::map<Id, std::shared_ptr<const Value>, std::greater<>>;

    struct Shelf {
        NewestFirst<ItemId, Item> items;
        NewestFirst<SaleId, DisplayedSale> sales;
        std::unordered_map<ItemId, std::vector<SaleId>> sales_of;

        void put(const Item& item);
        void put(const Sale& sale);
        void keep_stock_of(const Shelf& other);
    };

    DisplayedItem display(const std::shared_ptr<const Item>& item, Timestamp now) const;

    CatalogLedger& ledger_;
    mutable std::shared_mutex mutex_;
    Shelf shelf_;             // under mutex_
    std::uint64_t puts_ = 0;  // under mutex_
};

}  // namespace sluice
