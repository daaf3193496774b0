#include "app/catalog.hpp"

#include <algorithm>
#include <mutex>

#include <boost/json/serialize.hpp>

#include "app/json_view.hpp"

namespace sluice {
namespace {

std::string open_at_stock(const boost::json::object& sale) {
    auto text = boost::json::serialize(sale);
    text.pop_back();
    return text + ",\"stock\":{\"total\":";
}

constexpr int kRunningFlash = 4;

/// Which sale of an item counts now: the flash sale that runs, else the standing one, else the
/// flash sale that comes next.
int rank(const Sale& sale, Timestamp now) {
    if (state_at(sale, now) == SaleState::ended) return 0;
    const bool started = now >= sale.starts_at;
    if (sale.kind == SaleKind::flash) return started ? kRunningFlash : 2;
    return started ? 3 : 1;
}

bool counts_more(const Sale& a, const Sale& b, Timestamp now) {
    const int rank_a = rank(a, now), rank_b = rank(b, now);
    return rank_a != rank_b ? rank_a > rank_b : a.starts_at < b.starts_at;
}

}  // namespace

std::shared_ptr<const DisplayedSale> display_sale(const Sale& sale,
                                                  std::shared_ptr<const Item> item,
                                                  std::shared_ptr<LiveStock> stock) {
    auto json = to_json(sale);
    // Shoppers see these as the state, the end and the stock of the moment.
    for (const char* internal : {"ended_at", "paused", "stock"})
        json.stable_erase(json.find(internal));
    if (sale.ended_at) json["ends_at"] = to_rfc3339(*sale.ended_at);
    auto displayed = std::make_shared<DisplayedSale>();
    displayed->json_bare = open_at_stock(json);
    json.stable_erase(json.find("item_id"));
    json["item"] = to_json(*item);
    displayed->json = open_at_stock(json);
    displayed->sale = sale;
    displayed->item = std::move(item);
    displayed->stock = std::move(stock);
    return displayed;
}

Task<> Catalog::reload() {
    for (int attempt = 0;; ++attempt) {
        std::uint64_t puts = 0;
        {
            const std::shared_lock lock(mutex_);
            puts = puts_;
        }
        const auto contents = co_await ledger_.load();
        Shelf fresh;
        for (const auto& item : contents.items) fresh.put(item);
        for (const auto& sale : contents.sales) fresh.put(sale);

        const std::unique_lock lock(mutex_);
        if (puts == puts_) {
            fresh.keep_stock_of(shelf_);
            shelf_ = std::move(fresh);
            co_return;
        }
        // Somebody changed something between our reading and now, and it may not be in what we
        // read. Read again; operators are not that quick, so this ends.
        if (attempt >= 10) {
            for (const auto& [id, item] : fresh.items) shelf_.put(*item);
            for (const auto& [id, sale] : fresh.sales) shelf_.put(sale->sale);
            co_return;
        }
    }
}

void Catalog::put(const Item& item) {
    const std::unique_lock lock(mutex_);
    ++puts_;
    shelf_.put(item);
}

void Catalog::put(const Sale& sale) {
    const std::unique_lock lock(mutex_);
    ++puts_;
    shelf_.put(sale);
}

/// Two changes may be put in another order than they were committed in; the later version stays.
void Catalog::Shelf::put(const Item& item) {
    auto& slot = items[item.id];
    if (slot && slot->version > item.version) return;
    slot = std::make_shared<const Item>(item);
    for (SaleId id : sales_of[item.id]) {
        auto& displayed = sales[id];
        displayed = display_sale(displayed->sale, slot, displayed->stock);
    }
}

void Catalog::Shelf::put(const Sale& sale) {
    const auto item = items.find(sale.item_id);
    if (item == items.end()) return;
    auto& slot = sales[sale.id];
    if (slot && slot->sale.version > sale.version) return;
    if (!slot) sales_of[sale.item_id].push_back(sale.id);
    auto stock = slot ? slot->stock : std::make_shared<LiveStock>(sale.stock);
    slot = display_sale(sale, item->second, std::move(stock));
}

/// What is known here of a sale's stock is newer than what was read: every change passes here.
void Catalog::Shelf::keep_stock_of(const Shelf& other) {
    for (auto& [id, displayed] : sales) {
        const auto known = other.sales.find(id);
        if (known == other.sales.end()) continue;
        displayed = display_sale(displayed->sale, displayed->item, known->second->stock);
    }
}

void Catalog::put_committed(const Sale& sale) {
    {
        const std::shared_lock lock(mutex_);
        const auto at = shelf_.sales.find(sale.id);
        if (at == shelf_.sales.end()) return;
        at->second->stock->update(sale.stock);
        if (at->second->sale.version >= sale.version) return;
    }
    put(sale);
}

std::shared_ptr<const DisplayedSale> Catalog::sale(SaleId id) const {
    const std::shared_lock lock(mutex_);
    const auto at = shelf_.sales.find(id);
    return at == shelf_.sales.end() ? nullptr : at->second;
}

std::shared_ptr<const Item> Catalog::item(ItemId id) const {
    const std::shared_lock lock(mutex_);
    const auto at = shelf_.items.find(id);
    return at == shelf_.items.end() ? nullptr : at->second;
}

std::optional<DisplayedItem> Catalog::displayed_item(ItemId id, Timestamp now) const {
    const std::shared_lock lock(mutex_);
    const auto at = shelf_.items.find(id);
    if (at == shelf_.items.end()) return std::nullopt;
    return display(at->second, now);
}

std::size_t Catalog::sales_of(ItemId id) const {
    const std::shared_lock lock(mutex_);
    const auto at = shelf_.sales_of.find(id);
    return at == shelf_.sales_of.end() ? 0 : at->second.size();
}

bool Catalog::has_running_flash_sale(ItemId id, Timestamp now) const {
    const std::shared_lock lock(mutex_);
    const auto ids = shelf_.sales_of.find(id);
    return ids != shelf_.sales_of.end() && std::ranges::any_of(ids->second, [&](SaleId sale) {
               return rank(shelf_.sales.at(sale)->sale, now) == kRunningFlash;
           });
}

std::size_t Catalog::items() const {
    const std::shared_lock lock(mutex_);
    return shelf_.items.size();
}

std::size_t Catalog::sales() const {
    const std::shared_lock lock(mutex_);
    return shelf_.sales.size();
}

std::vector<std::shared_ptr<const DisplayedSale>> Catalog::list_sales(
    std::optional<SaleState> state, std::optional<SaleId> before, std::size_t limit,
    Timestamp now) const {
    std::vector<std::shared_ptr<const DisplayedSale>> found;
    const std::shared_lock lock(mutex_);
    auto at = before ? shelf_.sales.upper_bound(*before) : shelf_.sales.begin();
    for (; at != shelf_.sales.end() && found.size() < limit; ++at)
        if (!state || state_at(at->second->sale, at->second->stock->now(), now) == *state)
            found.push_back(at->second);
    return found;
}

std::vector<DisplayedItem> Catalog::list_items(std::optional<ItemId> before, std::size_t limit,
                                               Timestamp now) const {
    std::vector<DisplayedItem> found;
    const std::shared_lock lock(mutex_);
    auto at = before ? shelf_.items.upper_bound(*before) : shelf_.items.begin();
    for (; at != shelf_.items.end() && found.size() < limit; ++at)
        found.push_back(display(at->second, now));
    return found;
}

DisplayedItem Catalog::display(const std::shared_ptr<const Item>& item, Timestamp now) const {
    DisplayedItem displayed{.item = item, .sale = nullptr, .sold = 0};
    const auto ids = shelf_.sales_of.find(item->id);
    if (ids == shelf_.sales_of.end()) return displayed;
    for (SaleId id : ids->second) {
        const auto& sale = shelf_.sales.at(id);
        displayed.sold += sale->stock->now().sold;
        if (rank(sale->sale, now) == 0) continue;
        if (!displayed.sale || counts_more(sale->sale, displayed.sale->sale, now))
            displayed.sale = sale;
    }
    return displayed;
}

}  // namespace sluice
