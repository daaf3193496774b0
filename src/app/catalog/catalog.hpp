#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/catalog/live_stock.hpp"
#include "base/mutex.hpp"
#include "base/shared_mutex.hpp"
#include "domain/item.hpp"
#include "domain/sale.hpp"
#include "ports/catalog_ledger.hpp"

namespace sluice {

/// A sale as shoppers see it. Its JSON is made once, without stock and state: a reader appends the
/// present ones and the closing brackets.
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

/// The item's title, with the sale's name if it has one.
std::string title_of(const DisplayedSale& sale);

/// Which sales a list contains: those that match everything that is given.
struct SaleFilter {
    std::optional<SaleState> state = {};
    std::optional<std::string> campaign = {};
    std::optional<std::string> tag = {};

    /// Whether the sale has these labels. The state is not compared, since it depends on the
    /// moment.
    bool is_labelled(const Sale& sale) const;
};

enum class ArchivedItems { none, only, all };
std::optional<ArchivedItems> parse_archived_items(std::string_view text);

struct DisplayedItem {
    std::shared_ptr<const Item> item;
    std::shared_ptr<const DisplayedSale> sale;  // the sale that counts now, or null
    std::int64_t sold = 0;
};

/// All items and sales, in memory, in front of the ledger: reads never wait, and an id that is not
/// here does not exist. Each change is put here after its commit and before its answer. Safe from
/// any thread. A change is prepared first, so readers wait only while pointers are exchanged.
class Catalog {
  public:
    static constexpr std::size_t kMaxItems = 100'000;
    static constexpr std::size_t kMaxSales = 100'000;
    static constexpr std::size_t kMaxSalesPerItem = 1'000;

    explicit Catalog(CatalogLedger& ledger) : ledger_(ledger) {}

    /// Takes over what the ledger holds: at start, and whenever somebody else has changed it. May
    /// throw Outage.
    Task<> reload();

    // As the ledger has committed them. They may come in any order: the one with the higher number
    // stays.
    void put(const Item& item);
    void put(const Sale& sale);

    /// As put(), but a sale that is not shown yet stays hidden: it is put when its hot copy is
    /// filled.
    void put_news(const Sale& sale);

    std::shared_ptr<const DisplayedSale> sale(SaleId id) const;
    std::shared_ptr<const Item> item(ItemId id) const;
    std::optional<DisplayedItem> displayed_item(ItemId id, Timestamp now) const;
    std::size_t sales_of(ItemId id) const;
    /// It has begun and is not over. It may be paused or sold out.
    bool has_running_flash_sale(ItemId id, Timestamp now) const;
    std::size_t items() const;
    std::size_t sales() const;

    /// The newest first, older than `before` when given.
    std::vector<std::shared_ptr<const DisplayedSale>> list_sales(const SaleFilter& filter,
                                                                 std::optional<SaleId> before,
                                                                 std::size_t limit,
                                                                 Timestamp now) const;
    std::vector<DisplayedItem> list_items(std::optional<ItemId> before, std::size_t limit,
                                          Timestamp now,
                                          ArchivedItems archived = ArchivedItems::all) const;

    /// Visits every sale, the newest first. Sales that are put meanwhile may be left out.
    void visit_sales(const std::function<void(const std::shared_ptr<const DisplayedSale>&)>&) const;

  private:
    template <class Id, class Value>
    using NewestFirst = std::map<Id, std::shared_ptr<const Value>, std::greater<>>;

    /// What a put changes, ready to be linked; afterwards what was there before.
    struct Change {
        std::shared_ptr<const Item> item;
        std::vector<std::shared_ptr<const DisplayedSale>> sales;
    };
    using KnownSales = std::unordered_map<SaleId, std::shared_ptr<const DisplayedSale>>;

    struct Index {
        NewestFirst<ItemId, Item> items;
        NewestFirst<SaleId, DisplayedSale> sales;
        std::unordered_map<ItemId, std::vector<SaleId>> sales_of;

        Change prepare(const Item& item) const;
        Change prepare(const Sale& sale) const;
        void link(Change& change);
    };

    static Index make_index(const CatalogLedger::Contents& contents, const KnownSales& known);
    template <class Value>
    void link(const Value& value) REQUIRES(changing_) EXCLUDES(mutex_);
    DisplayedItem display(const std::shared_ptr<const Item>& item, Timestamp now) const
        REQUIRES_SHARED(mutex_);

    CatalogLedger& ledger_;
    Mutex changing_ ACQUIRED_BEFORE(mutex_);  // held by whoever changes index_
    std::uint64_t puts_ GUARDED_BY(changing_) = 0;
    mutable SharedMutex mutex_;
    Index index_ GUARDED_BY(mutex_);
};

}  // namespace sluice
