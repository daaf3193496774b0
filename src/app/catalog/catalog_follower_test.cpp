#include "app/catalog/catalog_follower.hpp"

#include <gtest/gtest.h>

#include "base/run_to_end.hpp"
#include "support/scripted_ports.hpp"

namespace sluice {
namespace {

/// Answers with what the test has prepared, and keeps the numbers that it was asked with.
class TestChanges final : public CatalogChanges {
  public:
    Task<std::optional<CatalogLedger::Contents>> since(Known known) override {
        asked = std::move(known);
        co_return answer;
    }
    Known asked;
    std::optional<CatalogLedger::Contents> answer = CatalogLedger::Contents{};
};

Item make_item(std::int64_t id, std::int64_t version, std::string title = "Tea set") {
    Item item;
    item.id = ItemId{id};
    item.title = std::move(title);
    item.currency = "CNY";
    item.version = version;
    return item;
}

Sale make_sale(std::int64_t id, std::int64_t item, std::int64_t news_seq, std::int64_t left = 5) {
    Sale sale;
    sale.id = SaleId{id};
    sale.item_id = ItemId{item};
    sale.currency = "CNY";
    sale.stock = {.total = 5, .left = left, .held = 5 - left, .sold = 0};
    sale.news_seq = news_seq;
    return sale;
}

class CatalogFollowerTest : public testing::Test {
  protected:
    testing_support::EmptyCatalogLedger ledger;
    Catalog catalog{ledger};
    TestChanges changes;
    CatalogFollower follower{catalog, changes};

    CatalogFollowerTest() {
        catalog.put(make_item(1, 3));
        catalog.put(make_sale(10, 1, 7));
        catalog.put(make_sale(11, 1, 0));
    }
};

TEST_F(CatalogFollowerTest, AsksByTheNumbersOfWhatIsShown) {
    run_to_end(follower.catch_up());
    EXPECT_EQ(changes.asked.items, (std::map<ItemId, std::int64_t>{{ItemId{1}, 3}}));
    EXPECT_EQ(changes.asked.sales,
              (std::map<SaleId, std::int64_t>{{SaleId{10}, 7}, {SaleId{11}, 0}}));
}

TEST_F(CatalogFollowerTest, AsksAgainForTermsThatMayHaveChangedBeforeOurOwnCommit) {
    catalog.put_news(make_sale(10, 1, 9, 4));
    run_to_end(follower.catch_up());
    EXPECT_EQ(changes.asked.sales.at(SaleId{10}), 7);
}

TEST_F(CatalogFollowerTest, ShowsWhatHasChangedAndLeavesTheRestAlone) {
    const auto untouched = catalog.sale(SaleId{11});
    catalog.put(make_item(2, 1));
    auto paused = make_sale(10, 1, 8, 2);
    paused.paused = true;
    changes.answer = {{make_item(2, 2, "Teapot"), make_item(3, 1)}, {paused, make_sale(12, 3, 0)}};
    run_to_end(follower.catch_up());
    EXPECT_TRUE(catalog.sale(SaleId{10})->sale.paused);
    EXPECT_EQ(catalog.sale(SaleId{10})->stock->now().left, 2);
    EXPECT_EQ(catalog.item(ItemId{2})->title, "Teapot");
    ASSERT_TRUE(catalog.sale(SaleId{12}));
    EXPECT_EQ(catalog.sale(SaleId{11}), untouched);
}

TEST_F(CatalogFollowerTest, ReadsEverythingWhenItIsTold) {
    changes.answer = std::nullopt;
    run_to_end(follower.catch_up());
    EXPECT_EQ(catalog.sales(), 0U) << "this ledger is empty";
}

}  // namespace
}  // namespace sluice
