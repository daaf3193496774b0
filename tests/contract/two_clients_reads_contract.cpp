// What has changed in the catalog, and operators' lists, read by one client while the other writes.

#include <algorithm>
#include <set>

#include <gmock/gmock.h>

#include "base/run_to_end.hpp"
#include "contract/two_clients.hpp"
#include "support/hand_in.hpp"

namespace sluice {
namespace {

using testing::SizeIs;

class TwoClientsCatalogContract : public contract::TwoClientsContract {
  protected:
    using Contents = CatalogLedger::Contents;

    CatalogLedger& catalog = ledgers->all().catalog();
    CatalogLedger& others = other.ledgers.catalog();
    CatalogChanges& changes = ledgers->all().catalog_changes();
    CatalogChanges::Known known;
    Contents followed;  // what the reader knows

    /// As a node follows the catalog.
    void take(const std::optional<Contents>& since) {
        ASSERT_TRUE(since) << "nothing is gone, and little has changed";
        for (const auto& item : since->items) {
            EXPECT_GT(item.version, known.items[item.id]) << "only what is newer";
            known.items[item.id] = item.version;
            put(followed.items, item);
        }
        for (const auto& each : since->sales) {
            EXPECT_GT(each.news_seq, known.sales.contains(each.id) ? known.sales[each.id] : -1);
            EXPECT_TRUE(known.items.contains(each.item_id)) << "a sale comes with its item";
            known.sales[each.id] = each.news_seq;
            put(followed.sales, each);
        }
    }
    template <class T>
    static void put(std::vector<T>& all, const T& one) {
        const auto at = std::ranges::find(all, one.id, &T::id);
        if (at == all.end())
            all.push_back(one);
        else
            *at = one;
    }
    CatalogLedger::DecideSale restock(std::int64_t deed) {
        return
            [this, deed](const Sale& before) -> Outcome<std::optional<CatalogLedger::SaleChange>> {
                return CatalogLedger::SaleChange{restock_sale(before, 1, before.starts_at).value(),
                                                 make_deed(deed)};
            };
    }
};

TEST_P(TwoClientsCatalogContract, NothingIsMissedThatTheOtherChangesMeanwhile) {
    take(run_to_end(changes.since(known)));
    for (std::int64_t round = 1; round <= 8; ++round) {
        const auto [since, changed] =
            at_once(changes.since(known), others.change_sale(sale.id, restock(7'000 + round), {}));
        ASSERT_TRUE(changed);
        take(since);
    }
    take(run_to_end(changes.since(known)));
    EXPECT_EQ(followed.sales, run_to_end(catalog.load()).sales);
    EXPECT_EQ(followed.sales.at(0).stock.total, 18);
}

TEST_P(TwoClientsCatalogContract, ANewSaleIsNeverReadWithoutItsItem) {
    take(run_to_end(changes.since(known)));
    for (std::int64_t id = 11; id <= 18; ++id) {
        // One task: the sale follows its item at once.
        const auto add_both = [this](std::int64_t number) -> Task<bool> {
            auto item = co_await others.add_item(make_item(number), make_deed(7'000 + number), {});
            auto added = co_await others.add_sale(make_sale(number, ItemId{number}),
                                                  make_deed(7'100 + number), {});
            co_return item&& added;
        };
        const auto [since, added] = at_once(changes.since(known), add_both(id));
        ASSERT_TRUE(added);
        take(since);
    }
    take(run_to_end(changes.since(known)));
    const auto all = run_to_end(catalog.load());
    EXPECT_THAT(followed.items, testing::UnorderedElementsAreArray(all.items));
    EXPECT_THAT(followed.sales, testing::UnorderedElementsAreArray(all.sales));
}

TEST_P(TwoClientsCatalogContract, ChangesOfBothAreRead) {
    take(run_to_end(changes.since(known)));
    std::vector<Task<Outcome<CatalogLedger::SaleChanged>>> writes;
    for (std::int64_t i = 1; i <= 10; ++i)
        writes.push_back(
            (i % 2 == 0 ? catalog : others).change_sale(sale.id, restock(7'000 + i), {}));
    for (const auto& changed : all_at_once(std::move(writes))) EXPECT_TRUE(changed);
    const auto [mine, theirs] =
        at_once(changes.since(known), other.ledgers.catalog_changes().since(known));
    ASSERT_TRUE(mine && theirs);
    EXPECT_EQ(mine->sales, theirs->sales);
    ASSERT_THAT(mine->sales, SizeIs(1));
    EXPECT_EQ(mine->sales[0].stock.total, 20);
    EXPECT_EQ(mine->sales, run_to_end(catalog.load()).sales);
}

class TwoClientsOrderListContract : public contract::TwoClientsContract {
  protected:
    OrderList& list = ledgers->all().order_list();
    OrderLedger& others = other.ledgers.orders();

    Timestamp moment() { return ledgers->clock().now(); }
};

TEST_P(TwoClientsOrderListContract, AListIsOfOneInstant) {
    std::set<OrderId> before;
    for (std::int64_t buyer = 1; buyer <= 8; ++buyer) {
        const auto [rows, bought] =
            at_once(list.list({}), testing_support::hand_in(other.intake, make_ticket(buyer)));
        std::set<OrderId> listed;
        for (const auto& row : rows) listed.insert(row.order.id);
        EXPECT_THAT(listed, SizeIs(rows.size())) << "no order twice";
        EXPECT_TRUE(std::ranges::includes(listed, before)) << "what was there is listed";
        EXPECT_TRUE(std::ranges::is_sorted(rows, std::ranges::greater{},
                                           [](const auto& row) { return row.order.id; }));
        before.insert(bought.record.order.value());
        EXPECT_TRUE(std::ranges::includes(before, listed)) << "and nothing else but the new one";
    }
}

TEST_P(TwoClientsOrderListContract, AFilterHoldsForWhatIsShown) {
    for (std::int64_t buyer = 1; buyer <= 8; ++buyer) {
        const auto order = buy(buyer);
        const auto [rows, cancelled] = at_once(list.list({.state = OrderState::pending}),
                                               others.cancel(order.id, order.buyer, moment()));
        ASSERT_TRUE(cancelled);
        EXPECT_LE(rows.size(), 1U) << "all others were cancelled before";
        for (const auto& row : rows) {
            EXPECT_EQ(row.order.id, order.id);
            EXPECT_EQ(row.order.state, OrderState::pending) << "as it was at that instant";
        }
    }
}

TEST_P(TwoClientsOrderListContract, AHoldIsHeldOrHasLapsed) {
    for (std::int64_t buyer = 1; buyer <= 8; ++buyer) {
        const auto order = buy(buyer);
        const auto [holds, cancelled] =
            at_once(list.holds(sale.id, moment()), others.cancel(order.id, order.buyer, moment()));
        ASSERT_TRUE(cancelled);
        std::int64_t held = 0, lapses = 0;
        for (const auto& age : holds.ages) held += age.held.orders;
        for (const auto& each : holds.buyers) lapses += each.lapses;
        EXPECT_EQ(held + lapses, buyer) << held << " held; each order counts once";
    }
}

RUN_ON_EVERY_ADAPTER(TwoClientsCatalogContract);
RUN_ON_EVERY_ADAPTER(TwoClientsOrderListContract);

}  // namespace
}  // namespace sluice
