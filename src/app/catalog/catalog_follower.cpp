#include "app/catalog/catalog_follower.hpp"

namespace sluice {
namespace {

constexpr std::size_t kPage = 1'000;

}  // namespace

Task<> CatalogFollower::catch_up() {
    const auto changes = co_await changes_.since(known());
    if (!changes) {
        co_await catalog_.reload();
        co_return;
    }
    for (const auto& item : changes->items) catalog_.put(item);
    for (const auto& sale : changes->sales) catalog_.put(sale);
}

/// For a sale the number with which its terms were read. Its stock may be newer: our own commits
/// bring the stock, and somebody may have changed the terms before them.
CatalogChanges::Known CatalogFollower::known() const {
    CatalogChanges::Known known;
    std::optional<ItemId> before;
    for (bool more = true; more;) {
        const auto some = catalog_.list_items(before, kPage, Timestamp{});
        for (const auto& shown : some) known.items.emplace(shown.item->id, shown.item->version);
        if (!some.empty()) before = some.back().item->id;
        more = some.size() == kPage;
    }
    catalog_.visit_sales([&](const std::shared_ptr<const DisplayedSale>& shown) {
        known.sales.emplace(shown->sale.id, shown->sale.news_seq);
    });
    return known;
}

}  // namespace sluice
