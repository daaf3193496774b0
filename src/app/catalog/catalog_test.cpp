#include "app/catalog/catalog.hpp"

#include <gtest/gtest.h>

#include "base/run_to_end.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

constexpr Timestamp kNow = from_millis(1'794'513'600'000);

/// Holds what the test puts in. Changing it stands for a write of another process.
class TestLedger final : public CatalogLedger {
  public:
    Task<Contents> load() override {
        Contents read = contents;
        if (during_load) during_load();
        co_return read;
    }
    Task<Outcome<Created>> add_item(Item, Deed, std::optional<Receipt>) override {
        co_return Created{};
    }
    Task<Outcome<Done>> update_item(Item, Deed) override { co_return Done{}; }
    Task<Outcome<Created>> add_sale(Sale, Deed, std::optional<Receipt>) override {
        co_return Created{};
    }
    Task<Outcome<SaleChanged>> change_sale(SaleId, DecideSale, std::optional<Receipt>) override {
        co_return refuse(Reason::conflict);
    }

    Contents contents;
    std::function<void()> during_load;
};

Item make_item(std::int64_t id, std::string title = "Tea set") {
    Item item;
    item.id = ItemId{id};
    item.title = std::move(title);
    item.currency = "CNY";
    return item;
}

Sale make_sale(std::int64_t id, std::int64_t item, std::chrono::minutes starts_in = -1min,
               std::chrono::minutes ends_in = 60min) {
    Sale sale;
    sale.id = SaleId{id};
    sale.item_id = ItemId{item};
    sale.currency = "CNY";
    sale.starts_at = kNow + starts_in;
    sale.ends_at = kNow + ends_in;
    sale.stock = {.total = 5, .left = 5, .held = 0, .sold = 0};
    return sale;
}

class CatalogTest : public testing::Test {
  protected:
    std::optional<std::int64_t> sale_that_counts(std::int64_t item) {
        const auto displayed = catalog.displayed_item(ItemId{item}, kNow);
        if (!displayed->sale) return std::nullopt;
        return displayed->sale->sale.id.value;
    }

    TestLedger ledger;
    Catalog catalog{ledger};
};

TEST_F(CatalogTest, ListsTheNewestFirstPageByPage) {
    catalog.put(make_item(1));
    for (std::int64_t id = 10; id < 15; ++id) catalog.put(make_sale(id, 1));
    const auto first = catalog.list_sales({}, std::nullopt, 2, kNow);
    ASSERT_EQ(first.size(), 2u);
    EXPECT_EQ(first[0]->sale.id.value, 14);
    const auto rest = catalog.list_sales({}, first[1]->sale.id, 10, kNow);
    ASSERT_EQ(rest.size(), 3u);
    EXPECT_EQ(rest[0]->sale.id.value, 12);
}

TEST_F(CatalogTest, FiltersByTheStateOfTheMoment) {
    catalog.put(make_item(1));
    catalog.put(make_sale(10, 1, 1min));
    catalog.put(make_sale(11, 1));
    const auto open = [&](Timestamp now) {
        return catalog.list_sales({.state = SaleState::open}, std::nullopt, 10, now).size();
    };
    EXPECT_EQ(open(kNow), 1u);
    EXPECT_EQ(open(kNow + 1min), 2u);
    EXPECT_EQ(open(kNow + 60min), 0u);
}

TEST_F(CatalogTest, FiltersByLabels) {
    catalog.put(make_item(1));
    auto morning = make_sale(10, 1), evening = make_sale(11, 1, 1min);
    morning.campaign = evening.campaign = "11.11";
    morning.tags = {"tea", "gift"};
    catalog.put(morning);
    catalog.put(evening);
    catalog.put(make_sale(12, 1));
    const auto count = [&](const SaleFilter& filter) {
        return catalog.list_sales(filter, std::nullopt, 10, kNow).size();
    };
    EXPECT_EQ(count({}), 3u);
    EXPECT_EQ(count({.campaign = "11.11"}), 2u);
    EXPECT_EQ(count({.state = SaleState::open, .campaign = "11.11"}), 1u);
    EXPECT_EQ(count({.tag = "gift"}), 1u);
    EXPECT_EQ(count({.tag = "gif"}), 0u);
    EXPECT_EQ(count({.campaign = "12.12", .tag = "gift"}), 0u);
    EXPECT_EQ(count({.campaign = ""}), 1u) << "the one without a campaign";
}

TEST_F(CatalogTest, ListsArchivedItemsAsItIsAsked) {
    catalog.put(make_item(1));
    auto away = make_item(2);
    away.archived = true;
    catalog.put(away);
    const auto ids = [&](ArchivedItems which) {
        std::vector<std::int64_t> found;
        for (const auto& shown : catalog.list_items(std::nullopt, 10, kNow, which))
            found.push_back(shown.item->id.value);
        return found;
    };
    using Ids = std::vector<std::int64_t>;
    EXPECT_EQ(ids(ArchivedItems::none), Ids{1});
    EXPECT_EQ(ids(ArchivedItems::only), Ids{2});
    EXPECT_EQ(ids(ArchivedItems::all), (Ids{2, 1}));
}

TEST_F(CatalogTest, ASaleIsCalledByItsItemAndItsName) {
    catalog.put(make_item(1));
    auto sale = make_sale(10, 1);
    catalog.put(sale);
    EXPECT_EQ(title_of(*catalog.sale(sale.id)), "Tea set");
    sale.name = "双十一";
    sale.version = 2;
    sale.news_seq = 1;
    catalog.put_news(sale);
    EXPECT_EQ(title_of(*catalog.sale(sale.id)), "Tea set · 双十一");
}

TEST_F(CatalogTest, TheSaleThatCounts) {
    catalog.put(make_item(1));
    EXPECT_EQ(sale_that_counts(1), std::nullopt);
    catalog.put(make_sale(10, 1, 30min));
    EXPECT_EQ(sale_that_counts(1), 10) << "the coming one, for want of another";
    catalog.put(make_sale(11, 1, 20min));
    EXPECT_EQ(sale_that_counts(1), 11) << "the sooner of two";
    auto standing = make_sale(12, 1);
    standing.kind = SaleKind::standing;
    catalog.put(standing);
    EXPECT_EQ(sale_that_counts(1), 12) << "what can be bought now";
    catalog.put(make_sale(13, 1));
    EXPECT_EQ(sale_that_counts(1), 13) << "a running flash sale before all";
    auto ended = make_sale(13, 1);
    ended.ended_at = kNow;
    ended.version = 2;
    catalog.put(ended);
    EXPECT_EQ(sale_that_counts(1), 12);
}

TEST_F(CatalogTest, AnEditedItemShowsInItsSales) {
    catalog.put(make_item(1));
    catalog.put(make_sale(10, 1));
    auto edited = make_item(1, "Better tea set");
    edited.version = 2;
    catalog.put(edited);
    EXPECT_NE(catalog.sale(SaleId{10})->json.find("Better tea set"), std::string::npos);
}

TEST_F(CatalogTest, OlderNewsNeverReplaceNewer) {
    catalog.put(make_item(1));
    auto sale = make_sale(10, 1);
    catalog.put(sale);
    auto bought = sale, paused = sale;
    bought.stock = {.total = 5, .left = 4, .held = 1, .sold = 0};
    bought.news_seq = 1;
    paused.stock = bought.stock;
    paused.paused = true;
    paused.version = 2;
    paused.news_seq = 2;
    const auto expect_newest = [&] {
        EXPECT_TRUE(catalog.sale(sale.id)->sale.paused);
        EXPECT_EQ(catalog.sale(sale.id)->stock->now(), bought.stock);
    };
    catalog.put_news(paused);
    expect_newest();
    catalog.put_news(bought);
    expect_newest();
    catalog.put(sale);
    expect_newest();
    ledger.contents = {{make_item(1)}, {sale}};
    run_to_end(catalog.reload());
    EXPECT_EQ(catalog.sale(sale.id)->stock->now(), bought.stock) << "read before the purchase";
}

TEST_F(CatalogTest, ReloadTakesAStockThatAnotherProcessChanged) {
    ledger.contents = {{make_item(1)}, {make_sale(10, 1)}};
    run_to_end(catalog.reload());
    auto& sale = ledger.contents.sales[0];
    sale.stock.left = sale.stock.total = 7;
    sale.hot_seq = 1;
    sale.news_seq = 1;
    run_to_end(catalog.reload());
    EXPECT_EQ(catalog.sale(sale.id)->stock->now().left, 7);
    EXPECT_EQ(catalog.sale(sale.id)->stock->hot_seq(), 1);
}

TEST_F(CatalogTest, TheOutboxOfASaleGrowsWithItsNews) {
    catalog.put(make_item(1));
    auto sale = make_sale(10, 1);
    catalog.put(sale);
    sale.hot_seq = 3;
    sale.news_seq = 4;
    catalog.put_news(sale);
    EXPECT_EQ(catalog.sale(sale.id)->stock->hot_seq(), 3);
}

TEST_F(CatalogTest, NewsOfASaleThatIsNotShownDoNotShowIt) {
    catalog.put(make_item(1));
    catalog.put_news(make_sale(10, 1));
    EXPECT_EQ(catalog.sale(SaleId{10}), nullptr);
}

TEST_F(CatalogTest, NewsOfAnEpochAreShownWithTheTermsTheyCameWith) {
    catalog.put(make_item(1));
    auto sale = make_sale(10, 1);
    catalog.put(sale);
    auto refilled = sale;
    refilled.epoch = 7;
    refilled.stock.left = 4;
    refilled.news_seq = 2;
    catalog.put_news(refilled);
    EXPECT_EQ(catalog.sale(sale.id)->sale.epoch, 7);
    EXPECT_EQ(catalog.sale(sale.id)->stock->now().left, 4);
    sale.version = 2;
    sale.limit_per_buyer = 3;
    sale.news_seq = 1;
    catalog.put(sale);
    EXPECT_EQ(catalog.sale(sale.id)->sale.epoch, 7) << "the edit came before";
}

TEST_F(CatalogTest, VisitsEverySaleOnce) {
    catalog.put(make_item(1));
    for (std::int64_t id = 1; id <= 2'000; ++id) catalog.put(make_sale(id, 1));
    std::vector<std::int64_t> seen;
    catalog.visit_sales([&](const auto& sale) { seen.push_back(sale->sale.id.value); });
    EXPECT_EQ(seen.size(), 2'000u);
    EXPECT_EQ(seen.front(), 2'000);
    EXPECT_EQ(seen.back(), 1);
}

TEST_F(CatalogTest, ReloadKeepsWhatHasNotChanged) {
    ledger.contents = {{make_item(1), make_item(2)}, {make_sale(10, 1), make_sale(20, 2)}};
    run_to_end(catalog.reload());
    const auto first = catalog.sale(SaleId{10}), second = catalog.sale(SaleId{20});
    auto bought = first->sale;
    bought.stock = {.total = 5, .left = 1, .held = 4, .sold = 0};
    bought.news_seq = 1;
    first->stock->update(bought);
    ledger.contents.items[1].title = "Teapot";
    run_to_end(catalog.reload());
    EXPECT_EQ(catalog.sale(SaleId{10}), first);
    EXPECT_NE(catalog.sale(SaleId{20}), second);
    EXPECT_EQ(catalog.sale(SaleId{20})->item->title, "Teapot");
    EXPECT_EQ(catalog.sale(SaleId{20})->stock, second->stock);
    EXPECT_EQ(catalog.sales_of(ItemId{1}), 1u);
}

TEST_F(CatalogTest, ReloadTakesWhatAnotherProcessWrote) {
    catalog.put(make_item(1));
    catalog.put(make_sale(10, 1));
    ledger.contents.items = {make_item(1, "Changed behind our back")};
    run_to_end(catalog.reload());
    EXPECT_EQ(catalog.item(ItemId{1})->title, "Changed behind our back");
    EXPECT_EQ(catalog.sale(SaleId{10}), nullptr);
}

TEST_F(CatalogTest, ReloadDoesNotUndoWhatWasPutMeanwhile) {
    ledger.contents.items = {make_item(1)};
    ledger.during_load = [this] {
        ledger.during_load = nullptr;
        ledger.contents.items.push_back(make_item(2));
        catalog.put(make_item(2));
    };
    run_to_end(catalog.reload());
    EXPECT_NE(catalog.item(ItemId{2}), nullptr);
}

}  // namespace
}  // namespace sluice
