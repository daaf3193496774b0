#include <atomic>

#include "base/run_to_end.hpp"
#include "contract/ledgers.hpp"

namespace sluice {
namespace {

using std::chrono::milliseconds;

class CatalogLedgerContract : public contract::LedgerContract {
  protected:
    CatalogLedger& catalog = ledgers->all().catalog();

    void SetUp() override {
        add_user(1);
        add_item(1);
    }
    Outcome<Created> add(const Sale& sale, std::optional<Receipt> receipt = {}) {
        return run_to_end(catalog.add_sale(sale, make_deed(100 + sale.id.value), receipt));
    }
    Sale stored_sale(std::size_t index = 0) { return run_to_end(catalog.load()).sales.at(index); }
    std::size_t count_deeds() { return run_to_end(ledgers->all().trail().list({}, 100)).size(); }
};

TEST_P(CatalogLedgerContract, LoadsItemsAsTheyWereAddedOrderedById) {
    add_item(3);
    add_item(2);
    const auto items = run_to_end(catalog.load()).items;
    ASSERT_EQ(items.size(), 3U);
    EXPECT_EQ(items[1].id, ItemId{2});
    EXPECT_EQ(items[2].id, ItemId{3});
    const auto expected = make_item(1);
    EXPECT_EQ(items[0].title, expected.title);
    EXPECT_EQ(items[0].description, expected.description);
    EXPECT_EQ(items[0].image_url, expected.image_url);
    EXPECT_EQ(items[0].list_price_cents, expected.list_price_cents);
    EXPECT_EQ(items[0].currency, expected.currency);
    EXPECT_EQ(items[0].version, 1);
    EXPECT_EQ(items[0].created_at, now);
    EXPECT_EQ(items[0].category, "茶");
    EXPECT_EQ(items[0].pictures, expected.pictures);
    EXPECT_FALSE(items[0].archived);
}

TEST_P(CatalogLedgerContract, LoadsSalesAsTheyWereAdded) {
    auto sale = make_sale(1, ItemId{1});
    sale.paused = true;
    ASSERT_TRUE(add(sale));
    const auto stored = stored_sale();
    EXPECT_EQ(stored.id, sale.id);
    EXPECT_EQ(stored.item_id, sale.item_id);
    EXPECT_EQ(stored.kind, SaleKind::flash);
    EXPECT_EQ(stored.price_cents, 99);
    EXPECT_EQ(stored.currency, "CNY");
    EXPECT_EQ(stored.starts_at, sale.starts_at);
    EXPECT_EQ(stored.ends_at, sale.ends_at);
    EXPECT_EQ(stored.ended_at, std::nullopt);
    EXPECT_TRUE(stored.paused);
    EXPECT_EQ(stored.stock, sale.stock);
    EXPECT_EQ(stored.limit_per_buyer, 2);
    EXPECT_EQ(stored.hold_seconds, 60);
    EXPECT_EQ(stored.challenge, Challenge::pow);
    EXPECT_EQ(stored.challenge_alternative, Challenge::none);
    EXPECT_EQ(stored.challenge_bits, 20);
    EXPECT_EQ(stored.gate_factor, 3);
    EXPECT_EQ(stored.unpaid_limit, 4);
    EXPECT_EQ(stored.version, 1);
    EXPECT_EQ(stored.created_at, now);
    EXPECT_EQ(stored.name, "双十一 🎁");
    EXPECT_EQ(stored.campaign, "11.11");
    EXPECT_EQ(stored.tags, sale.tags);
    EXPECT_EQ(stored.audience, Audience::listed_first);
    EXPECT_EQ(stored.listed_until, sale.listed_until);
    EXPECT_EQ(stored.list_version, 0);
}

TEST_P(CatalogLedgerContract, TellsWhatHasChangedSinceItWasRead) {
    auto& changes = ledgers->all().catalog_changes();
    ASSERT_TRUE(add(make_sale(1, ItemId{1})));
    ASSERT_TRUE(add(make_sale(2, ItemId{1})));
    CatalogChanges::Known known;
    const auto read = [&] {
        const auto all = run_to_end(catalog.load());
        for (const auto& item : all.items) known.items[item.id] = item.version;
        for (const auto& sale : all.sales) known.sales[sale.id] = sale.news_seq;
    };
    read();
    auto since = run_to_end(changes.since(known));
    ASSERT_TRUE(since);
    EXPECT_TRUE(since->items.empty() && since->sales.empty()) << "nothing has changed";

    auto item = make_item(1);
    item.title = "coffee";
    item.version = 2;
    ASSERT_TRUE(run_to_end(catalog.update_item(item, make_deed(2))));
    add_item(7);
    ASSERT_TRUE(add(make_sale(3, ItemId{1})));
    const auto pause =
        [&](const Sale& before) -> Outcome<std::optional<CatalogLedger::SaleChange>> {
        auto after = before;
        after.paused = true;
        ++after.version;
        return CatalogLedger::SaleChange{after, make_deed(50)};
    };
    ASSERT_TRUE(run_to_end(catalog.change_sale(SaleId{2}, pause, {})));
    since = run_to_end(changes.since(known));
    ASSERT_TRUE(since);
    const auto all = run_to_end(catalog.load());
    EXPECT_EQ(since->items, all.items) << "one was edited, one is new";
    EXPECT_EQ(since->sales, (std::vector{all.sales[1], all.sales[2]}));

    read();
    known.sales[SaleId{99}] = 0;
    EXPECT_FALSE(run_to_end(changes.since(known))) << "a sale that is known is gone";
}

TEST_P(CatalogLedgerContract, UpdatesAnItemOnlyFromTheVersionBefore) {
    auto item = make_item(1);
    item.title = "coffee";
    item.version = 2;
    EXPECT_TRUE(run_to_end(catalog.update_item(item, make_deed(2))));
    item.title = "stale";
    const auto outcome = run_to_end(catalog.update_item(item, make_deed(3)));
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().reason, Reason::conflict);
    EXPECT_EQ(run_to_end(catalog.load()).items[0].title, "coffee");
    EXPECT_EQ(count_deeds(), 2U) << "a refused change leaves no deed";
}

TEST_P(CatalogLedgerContract, UpdatesAllThatAnItemHas) {
    auto item = make_item(1);
    item.description = "green";
    item.category = "";
    item.pictures = {"/c.png"};
    item.archived = true;
    item.version = 2;
    ASSERT_TRUE(run_to_end(catalog.update_item(item, make_deed(2))));
    EXPECT_EQ(run_to_end(catalog.load()).items[0], item);
    item.archived = false;
    item.pictures.clear();
    item.version = 3;
    ASSERT_TRUE(run_to_end(catalog.update_item(item, make_deed(3))));
    EXPECT_EQ(run_to_end(catalog.load()).items[0], item);
}

TEST_P(CatalogLedgerContract, ArchivesNoItemWithASaleThatGoesOn) {
    ASSERT_TRUE(add(make_sale(1, ItemId{1})));
    auto item = make_item(1);
    item.archived = true;
    item.version = 2;
    const auto refused = run_to_end(catalog.update_item(item, make_deed(2)));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().reason, Reason::conflict);
    EXPECT_EQ(refused.error().detail, Detail::item_on_sale);
    EXPECT_FALSE(run_to_end(catalog.load()).items[0].archived);
    EXPECT_EQ(count_deeds(), 2U) << "a refused change leaves no deed";

    ASSERT_TRUE(change(SaleId{1}, set([this](Sale& sale) { sale.ended_at = now; })));
    EXPECT_TRUE(run_to_end(catalog.update_item(item, make_deed(3))));
}

TEST_P(CatalogLedgerContract, ASaleIsOverAtTheInstantOfItsEnd) {
    const auto sale = make_sale(1, ItemId{1});
    ASSERT_TRUE(add(sale));
    auto item = make_item(1);
    item.archived = true;
    item.version = 2;
    auto deed = make_deed(2);
    deed.at = *sale.ends_at - milliseconds{1};
    EXPECT_FALSE(run_to_end(catalog.update_item(item, deed)));
    deed.at = *sale.ends_at;
    EXPECT_TRUE(run_to_end(catalog.update_item(item, deed)));
}

TEST_P(CatalogLedgerContract, AddsNoSaleOfAnArchivedItem) {
    auto item = make_item(1);
    item.archived = true;
    item.version = 2;
    ASSERT_TRUE(run_to_end(catalog.update_item(item, make_deed(2))));
    const auto refused = add(make_sale(1, ItemId{1}));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().reason, Reason::conflict);
    EXPECT_EQ(refused.error().detail, Detail::item_archived);
    item.archived = false;
    item.version = 3;
    ASSERT_TRUE(run_to_end(catalog.update_item(item, make_deed(3))));
    EXPECT_TRUE(add(make_sale(1, ItemId{1})));
}

TEST_P(CatalogLedgerContract, LetsOneOfManySimultaneousEditsThrough) {
    int through = 0;
    for (int i = 0; i < 20; ++i) {
        auto item = make_item(1);
        item.version = 2;
        loop.spawn(catalog.update_item(item, make_deed(10 + i)),
                   [&](std::exception_ptr error, Outcome<Done> outcome) {
                       EXPECT_FALSE(error);
                       if (outcome) ++through;
                   });
    }
    loop.run();
    EXPECT_EQ(through, 1);
    EXPECT_EQ(count_deeds(), 2U);
}

TEST_P(CatalogLedgerContract, ChangesASaleAsItWasDecided) {
    ASSERT_TRUE(add(make_sale(1, ItemId{1})));
    const auto changed = change(SaleId{1}, set([this](Sale& sale) {
                                    sale.price_cents = 5;
                                    sale.starts_at += milliseconds{1};
                                    sale.ends_at = std::nullopt;
                                    sale.ended_at = now;
                                    sale.paused = true;
                                    sale.resumed_at = now + milliseconds{2};
                                    sale.stock = {.total = 12, .left = 9, .held = 2, .sold = 1};
                                    sale.limit_per_buyer = 4;
                                    sale.hold_seconds = 61;
                                    sale.challenge = Challenge::math;
                                    sale.challenge_alternative = Challenge::pow;
                                    sale.challenge_bits = std::nullopt;
                                    sale.gate_factor = 9;
                                    sale.unpaid_limit = 8;
                                    sale.name = "";
                                    sale.campaign = "12.12";
                                    sale.tags = {"other"};
                                    sale.audience = Audience::listed;
                                    sale.listed_until = std::nullopt;
                                }));
    ASSERT_TRUE(changed);
    EXPECT_EQ(changed->before, make_sale(1, ItemId{1}));
    EXPECT_EQ(changed->after.price_cents, 5);
    EXPECT_EQ(stored_sale(), changed->after);
    EXPECT_EQ(count_deeds(), 3U);
}

TEST_P(CatalogLedgerContract, DecidesOnTheSaleAsItIsOnRecord) {
    ASSERT_TRUE(add(make_sale(1, ItemId{1})));
    int changed = 0;
    for (int i = 0; i < 20; ++i)
        loop.spawn(catalog.change_sale(SaleId{1}, decide_by(set([](Sale& sale) {
                                           sale.stock.total += 1;
                                           sale.stock.left += 1;
                                       })),
                                       {}),
                   [&](std::exception_ptr error, Outcome<CatalogLedger::SaleChanged> outcome) {
                       EXPECT_FALSE(error);
                       if (outcome) ++changed;
                   });
    loop.run();
    EXPECT_EQ(changed, 20);
    EXPECT_EQ(stored_sale().stock, (Stock{.total = 30, .left = 27, .held = 2, .sold = 1}));
    EXPECT_EQ(stored_sale().version, 21);
}

TEST_P(CatalogLedgerContract, AnEditOfOtherTermsDoesNotUndoARestock) {
    ASSERT_TRUE(add(make_sale(1, ItemId{1})));
    ASSERT_TRUE(change(SaleId{1}, [this](const Sale& sale) { return restock_sale(sale, 5, now); }));
    ASSERT_TRUE(change(SaleId{1}, [this](const Sale& sale) {
        SaleDraft wish;
        wish.gate_factor = 9;
        return edit_sale(sale, wish, now);
    }));
    EXPECT_EQ(stored_sale().stock, (Stock{.total = 15, .left = 12, .held = 2, .sold = 1}));
}

/// The decision is made when nothing else can be written before it, so that a deed is never dated
/// before a ticket that was written first.
TEST_P(CatalogLedgerContract, DecidesWhenTheLedgerTakesWrites) {
    ASSERT_TRUE(add(make_sale(1, ItemId{1})));
    std::atomic<bool> writable = false;
    bool decided_early = false;
    ledgers->stall();
    loop.spawn(catalog.change_sale(SaleId{1}, decide_by([&](const Sale& sale) {
                                       decided_early = !writable;
                                       return pause_sale(sale, now);
                                   }),
                                   {}),
               [](std::exception_ptr error, Outcome<CatalogLedger::SaleChanged> done) {
                   EXPECT_FALSE(error);
                   EXPECT_TRUE(done);
               });
    loop.poll();
    run_to_end(catalog.load());  // readers are not delayed, and give a second writer its time
    writable = true;
    ledgers->go_on();
    loop.run();
    EXPECT_FALSE(decided_early);
    EXPECT_TRUE(stored_sale().paused);
}

TEST_P(CatalogLedgerContract, WhatWasNotDecidedLeavesNoTrace) {
    ASSERT_TRUE(add(make_sale(1, ItemId{1})));
    const auto before = stored_sale();
    const auto refused =
        change(SaleId{1}, [](const Sale&) -> Outcome<Sale> { return refuse(Reason::ended); });
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().reason, Reason::ended);
    const auto nothing = change(SaleId{1}, [](const Sale& sale) -> Outcome<Sale> { return sale; });
    ASSERT_TRUE(nothing);
    EXPECT_EQ(nothing->after.version, before.version);
    const auto unknown = change(SaleId{9}, set([](Sale&) {}));
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().reason, Reason::not_found);
    EXPECT_EQ(stored_sale(), before);
    EXPECT_EQ(count_deeds(), 2U);
}

TEST_P(CatalogLedgerContract, ChangesOnceForOneReceipt) {
    ASSERT_TRUE(add(make_sale(1, ItemId{1})));
    const auto restock = [this](std::int64_t delta, const Receipt& receipt) {
        return change(
            SaleId{1}, [=, this](const Sale& sale) { return restock_sale(sale, delta, now); },
            receipt);
    };
    auto receipt = make_receipt("once", 1, "");
    const auto first = restock(5, receipt);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->after.stock.total, 15);
    const auto again = restock(5, receipt);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->before.version, again->after.version);
    EXPECT_EQ(again->after.stock.total, 15);
    receipt.body_digest[0] = 2;
    EXPECT_EQ(restock(6, receipt).error().reason, Reason::idempotency_mismatch);
    EXPECT_EQ(stored_sale().stock.total, 15);
    EXPECT_EQ(count_deeds(), 3U);
}

TEST_P(CatalogLedgerContract, RefusesASecondStandingSaleUntilTheFirstHasEnded) {
    auto first = make_sale(1, ItemId{1}, SaleKind::standing);
    ASSERT_TRUE(add(first));
    EXPECT_TRUE(add(make_sale(2, ItemId{1}, SaleKind::flash)));

    auto second = make_sale(3, ItemId{1}, SaleKind::standing);
    second.created_at = *first.ends_at - milliseconds{1};
    const auto early = add(second);
    ASSERT_FALSE(early);
    EXPECT_EQ(early.error().reason, Reason::conflict);

    second.created_at = *first.ends_at;
    second.ends_at = std::nullopt;
    EXPECT_TRUE(add(second));
}

TEST_P(CatalogLedgerContract, AnEndlessStandingSaleStandsUntilItIsEnded) {
    auto first = make_sale(1, ItemId{1}, SaleKind::standing);
    first.ends_at = std::nullopt;
    ASSERT_TRUE(add(first));
    auto second = make_sale(2, ItemId{1}, SaleKind::standing);
    second.created_at = now + std::chrono::hours{24 * 365};
    second.starts_at = second.created_at;
    second.ends_at = std::nullopt;
    EXPECT_FALSE(add(second));

    ASSERT_TRUE(change(SaleId{1}, set([this](Sale& sale) { sale.ended_at = now; })));
    EXPECT_TRUE(add(second));
}

TEST_P(CatalogLedgerContract, RefusesALateEditOfASaleThatWasReplaced) {
    auto first = make_sale(1, ItemId{1}, SaleKind::standing);
    ASSERT_TRUE(add(first));
    auto second = make_sale(2, ItemId{1}, SaleKind::standing);
    second.created_at = *first.ends_at;
    second.ends_at = std::nullopt;
    ASSERT_TRUE(add(second));

    const auto outcome = change(SaleId{1}, set([](Sale& sale) { sale.ends_at = std::nullopt; }));
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().reason, Reason::conflict);
}

TEST_P(CatalogLedgerContract, CreatesItemsAndSalesOnceForOneKey) {
    const auto receipt = make_receipt("i", 1, "the item");
    EXPECT_FALSE(run_to_end(catalog.add_item(make_item(5), make_deed(5), receipt))->first_answer);
    EXPECT_EQ(run_to_end(catalog.add_item(make_item(6), make_deed(6), receipt))->first_answer,
              "the item");
    EXPECT_EQ(run_to_end(catalog.load()).items.size(), 2U);

    const auto sale_receipt = make_receipt("s", 1, "the sale");
    const auto standing = make_sale(1, ItemId{1}, SaleKind::standing);
    EXPECT_FALSE(add(standing, sale_receipt)->first_answer);
    EXPECT_EQ(add(make_sale(2, ItemId{1}, SaleKind::standing), sale_receipt)->first_answer,
              "the sale");
    const auto other = add(make_sale(3, ItemId{1}), make_receipt("s", 2, "another"));
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().reason, Reason::idempotency_mismatch);
    EXPECT_EQ(run_to_end(catalog.load()).sales.size(), 1U);
    EXPECT_EQ(count_deeds(), 3U) << "the first item, the second, the sale";
}

TEST_P(CatalogLedgerContract, ARefusedSaleLeavesNeitherDeedNorReceipt) {
    ASSERT_TRUE(add(make_sale(1, ItemId{1}, SaleKind::standing)));
    EXPECT_FALSE(add(make_sale(2, ItemId{1}, SaleKind::standing), make_receipt("k", 1, "refused")));
    EXPECT_EQ(count_deeds(), 2U);
    EXPECT_FALSE(add(make_sale(3, ItemId{1}), make_receipt("k", 2, "added"))->first_answer);
}

RUN_ON_EVERY_ADAPTER(CatalogLedgerContract);

}  // namespace
}  // namespace sluice
