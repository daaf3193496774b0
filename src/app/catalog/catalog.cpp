#include "app/catalog/catalog.hpp"

#include <algorithm>

#include <boost/json/serialize.hpp>

#include "app/catalog/json_view.hpp"
#include "base/names.hpp"

namespace sluice {
namespace {

std::string open_at_stock(const boost::json::object& sale) {
    auto text = boost::json::serialize(sale);
    text.pop_back();
    return text + ",\"stock\":{\"total\":";
}

constexpr int kRunningFlash = 4;

/// Of an item's sales the one with the highest rank counts now: the running flash sale, else the
/// standing one, else the next flash sale.
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

/// Whether the sale is shown with these terms already; the stock and its numbers are kept apart.
bool is_shown_by(const DisplayedSale& displayed, const Sale& sale, const Item& item) {
    Sale shown = displayed.sale;
    shown.stock = sale.stock;
    shown.hot_seq = sale.hot_seq;
    shown.news_seq = sale.news_seq;
    return shown == sale && *displayed.item == item;
}

constexpr std::size_t kVisitedAtOnce = 1'000;

constexpr Names<ArchivedItems::all> kArchivedItems({{ArchivedItems::none, "none"},
                                                    {ArchivedItems::only, "only"},
                                                    {ArchivedItems::all, "all"}});

}  // namespace

std::shared_ptr<const DisplayedSale> display_sale(const Sale& sale,
                                                  std::shared_ptr<const Item> item,
                                                  std::shared_ptr<LiveStock> stock) {
    auto json = to_json(sale);
    // Shoppers see these as the state, the end and the stock at the present moment.
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

std::string title_of(const DisplayedSale& sale) {
    if (sale.sale.name.empty()) return sale.item->title;
    return sale.item->title + " · " + sale.sale.name;
}

bool SaleFilter::is_labelled(const Sale& sale) const {
    if (campaign && sale.campaign != *campaign) return false;
    return !tag || std::ranges::find(sale.tags, *tag) != sale.tags.end();
}

std::optional<ArchivedItems> parse_archived_items(std::string_view text) {
    return kArchivedItems.parse(text);
}

Task<> Catalog::reload() {
    for (int attempt = 0;; ++attempt) {
        std::uint64_t puts = 0;
        {
            const MutexLock changing(changing_);
            puts = puts_;
        }
        const auto contents = co_await ledger_.load();
        KnownSales known;
        visit_sales([&](const auto& sale) { known.emplace(sale->sale.id, sale); });
        auto fresh = make_index(contents, known);

        const MutexLock changing(changing_);
        if (puts == puts_) {
            const ExclusiveLock lock(mutex_);
            std::swap(index_, fresh);
            co_return;
        }
        // Somebody changed something between our reading and now, and the change may not be in what
        // we read. Read again; operators are not that quick, so this ends.
        if (attempt >= 10) {
            for (const auto& [id, item] : fresh.items) link(*item);
            for (const auto& [id, sale] : fresh.sales) link(sale->sale);
            co_return;
        }
    }
}

/// What is known may be newer than what was read. What has not changed is not built again.
Catalog::Index Catalog::make_index(const CatalogLedger::Contents& contents,
                                   const KnownSales& known) {
    Index index;
    for (const auto& item : contents.items)
        index.items.emplace(item.id, std::make_shared<const Item>(item));
    for (const auto& sale : contents.sales) {
        const auto item = index.items.find(sale.item_id);
        if (item == index.items.end()) continue;
        const auto before = known.find(sale.id);
        auto& displayed = index.sales[sale.id];
        if (before == known.end()) {
            displayed = display_sale(sale, item->second, std::make_shared<LiveStock>(sale));
        } else {
            before->second->stock->update(sale);
            displayed = is_shown_by(*before->second, sale, *item->second)
                            ? before->second
                            : display_sale(sale, item->second, before->second->stock);
        }
        index.sales_of[sale.item_id].push_back(sale.id);
    }
    return index;
}

void Catalog::put(const Item& item) {
    const MutexLock changing(changing_);
    ++puts_;
    link(item);
}

void Catalog::put(const Sale& sale) {
    const MutexLock changing(changing_);
    ++puts_;
    link(sale);
}

/// What was there before is destroyed after readers may go on.
template <class Value>
void Catalog::link(const Value& value) {
    Change change;
    {
        const SharedLock lock(mutex_);
        change = index_.prepare(value);
    }
    const ExclusiveLock lock(mutex_);
    index_.link(change);
}

Catalog::Change Catalog::Index::prepare(const Item& item) const {
    Change change;
    const auto known = items.find(item.id);
    if (known != items.end() && known->second->version > item.version) return change;
    change.item = std::make_shared<const Item>(item);
    const auto ids = sales_of.find(item.id);
    if (ids == sales_of.end()) return change;
    for (SaleId id : ids->second) {
        const auto& displayed = sales.at(id);
        change.sales.push_back(display_sale(displayed->sale, change.item, displayed->stock));
    }
    return change;
}

Catalog::Change Catalog::Index::prepare(const Sale& sale) const {
    Change change;
    const auto item = items.find(sale.item_id);
    if (item == items.end()) return change;
    const auto known = sales.find(sale.id);
    if (known == sales.end()) {
        change.sales.push_back(display_sale(sale, item->second, std::make_shared<LiveStock>(sale)));
        return change;
    }
    if (known->second->sale.news_seq > sale.news_seq) return change;
    known->second->stock->update(sale);
    change.sales.push_back(display_sale(sale, item->second, known->second->stock));
    return change;
}

void Catalog::Index::link(Change& change) {
    if (change.item) items[change.item->id].swap(change.item);
    for (auto& sale : change.sales) {
        auto& slot = sales[sale->sale.id];
        if (!slot) sales_of[sale->sale.item_id].push_back(sale->sale.id);
        slot.swap(sale);
    }
}

/// The terms are as shown unless version or epoch have moved; then only the stock is news.
void Catalog::put_news(const Sale& sale) {
    {
        const SharedLock lock(mutex_);
        const auto at = index_.sales.find(sale.id);
        if (at == index_.sales.end()) return;
        at->second->stock->update(sale);
        const Sale& shown = at->second->sale;
        if (shown.version == sale.version && shown.epoch == sale.epoch) return;
    }
    put(sale);
}

std::shared_ptr<const DisplayedSale> Catalog::sale(SaleId id) const {
    const SharedLock lock(mutex_);
    const auto at = index_.sales.find(id);
    return at == index_.sales.end() ? nullptr : at->second;
}

std::shared_ptr<const Item> Catalog::item(ItemId id) const {
    const SharedLock lock(mutex_);
    const auto at = index_.items.find(id);
    return at == index_.items.end() ? nullptr : at->second;
}

std::optional<DisplayedItem> Catalog::displayed_item(ItemId id, Timestamp now) const {
    const SharedLock lock(mutex_);
    const auto at = index_.items.find(id);
    if (at == index_.items.end()) return std::nullopt;
    return display(at->second, now);
}

std::size_t Catalog::sales_of(ItemId id) const {
    const SharedLock lock(mutex_);
    const auto at = index_.sales_of.find(id);
    return at == index_.sales_of.end() ? 0 : at->second.size();
}

bool Catalog::has_running_flash_sale(ItemId id, Timestamp now) const {
    const SharedLock lock(mutex_);
    const auto ids = index_.sales_of.find(id);
    if (ids == index_.sales_of.end()) return false;
    for (const auto sale : ids->second)
        if (rank(index_.sales.at(sale)->sale, now) == kRunningFlash) return true;
    return false;
}

std::size_t Catalog::items() const {
    const SharedLock lock(mutex_);
    return index_.items.size();
}

std::size_t Catalog::sales() const {
    const SharedLock lock(mutex_);
    return index_.sales.size();
}

std::vector<std::shared_ptr<const DisplayedSale>> Catalog::list_sales(const SaleFilter& filter,
                                                                      std::optional<SaleId> before,
                                                                      std::size_t limit,
                                                                      Timestamp now) const {
    std::vector<std::shared_ptr<const DisplayedSale>> found;
    const SharedLock lock(mutex_);
    auto at = before ? index_.sales.upper_bound(*before) : index_.sales.begin();
    for (; at != index_.sales.end() && found.size() < limit; ++at) {
        const auto& [id, shown] = *at;
        if (filter.state && state_at(shown->sale, shown->stock->now(), now) != *filter.state)
            continue;
        if (filter.is_labelled(shown->sale)) found.push_back(shown);
    }
    return found;
}

std::vector<DisplayedItem> Catalog::list_items(std::optional<ItemId> before, std::size_t limit,
                                               Timestamp now, ArchivedItems archived) const {
    std::vector<DisplayedItem> found;
    const SharedLock lock(mutex_);
    auto at = before ? index_.items.upper_bound(*before) : index_.items.begin();
    for (; at != index_.items.end() && found.size() < limit; ++at)
        if (archived == ArchivedItems::all ||
            at->second->archived == (archived == ArchivedItems::only))
            found.push_back(display(at->second, now));
    return found;
}

void Catalog::visit_sales(
    const std::function<void(const std::shared_ptr<const DisplayedSale>&)>& each) const {
    std::optional<SaleId> before;
    for (bool more = true; more;) {
        const auto some = list_sales({}, before, kVisitedAtOnce, Timestamp{});
        for (const auto& sale : some) each(sale);
        if (!some.empty()) before = some.back()->sale.id;
        more = some.size() == kVisitedAtOnce;
    }
}

DisplayedItem Catalog::display(const std::shared_ptr<const Item>& item, Timestamp now) const {
    DisplayedItem displayed{.item = item, .sale = nullptr, .sold = 0};
    const auto ids = index_.sales_of.find(item->id);
    if (ids == index_.sales_of.end()) return displayed;
    for (SaleId id : ids->second) {
        const auto& sale = index_.sales.at(id);
        displayed.sold += sale->stock->now().sold;
        if (rank(sale->sale, now) == 0) continue;
        if (!displayed.sale || counts_more(sale->sale, displayed.sale->sale, now))
            displayed.sale = sale;
    }
    return displayed;
}

}  // namespace sluice
