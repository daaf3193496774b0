#include <algorithm>

#include "base/run_to_end.hpp"
#include "contract/ledgers.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

class StatsLedgerContract : public contract::OrderContract {
  protected:
    StatsLedger& stats = ledgers->all().stats();

    StatsPoint make_point(Timestamp at, std::int64_t visits = 1, std::int64_t node = 0) const {
        StatsPoint point{.sale = sale.id,
                         .at = at,
                         .node = node,
                         .funnel = {},
                         .stock = {.total = 10, .left = 4, .held = 5, .sold = 1},
                         .backlog = 7,
                         .latency = {.p50 = 1us, .p90 = 2us, .p99 = 3us, .p999 = 4us}};
        point.funnel.visits = visits;
        point.funnel.challenges = 2;
        point.funnel.passes = 3;
        point.funnel.attempts = 4;
        point.funnel.refusals = {{"busy", 5}, {"sold_out", 6}};
        point.funnel.claims = 8;
        point.funnel.orders = {.orders = 9, .paid = 10, .expired = 11};
        return point;
    }
    void add(Resolution resolution, std::vector<StatsPoint> points) {
        run_to_end(stats.add_points({resolution, std::move(points)}));
    }
    NodeTotals make_totals(std::int64_t node, std::int64_t visits) const {
        return {.sale = sale.id,
                .node = node,
                .funnel = make_point(now, visits).funnel,
                .at = now,
                .backlog = 7,
                .latency = {.p50 = 1us, .p90 = 2us, .p99 = 3us, .p999 = 4us}};
    }
    std::vector<NodeTotals> totals() {
        auto all = run_to_end(stats.totals({SaleId{99}, sale.id}));
        std::ranges::sort(all, {}, &NodeTotals::node);
        return all;
    }
    std::vector<StatsPoint> history(Resolution resolution, Timestamp from, Timestamp to,
                                    std::size_t limit = 100) {
        return run_to_end(stats.history({sale.id, resolution, from, to}, limit));
    }
};

TEST_P(StatsLedgerContract, CountsOrdersByWhatBecameOfThem) {
    const auto paid = buy(1), expired = buy(2);
    buy(3, 1, 2);
    buy(3, 2);
    ledgers->set_order_state(paid.id, OrderState::paid);
    ledgers->set_order_state(expired.id, OrderState::expired);
    const OrderTally expected{.orders = 4, .paid = 1, .expired = 1};
    ledgers->set_order_state(paid.id, OrderState::refunded);
    const auto tallies = run_to_end(stats.tallies({SaleId{99}, sale.id}));
    EXPECT_EQ(tallies[0], SaleTally{});
    EXPECT_EQ(tallies[1].orders, expected);
    EXPECT_EQ(tallies[1].stock, stored_sale().stock);
    EXPECT_EQ(tallies[1].stock.held, 5) << "the test changed states, not units";
}

TEST_P(StatsLedgerContract, AReplayIsNoSecondOrder) {
    const auto ticket = make_ticket(1);
    submit(ticket);
    submit(ticket);
    EXPECT_EQ(run_to_end(stats.tallies({sale.id})).front().orders.orders, 1);
}

TEST_P(StatsLedgerContract, TheLastTotalsOfEachNodeCount) {
    EXPECT_TRUE(totals().empty());
    run_to_end(stats.put_totals({make_totals(0, 1), make_totals(511, 2)}));
    auto changed = make_totals(511, 70);
    changed.funnel.refusals["conflict"] = 1;
    changed.backlog = 0;
    run_to_end(stats.put_totals({changed}));
    EXPECT_EQ(totals(), (std::vector{make_totals(0, 1), changed}));
}

TEST_P(StatsLedgerContract, ALimitIsOfInstantsWithAllTheirNodes) {
    add(Resolution::second,
        {make_point(now, 1, 2), make_point(now, 1, 1), make_point(now + 1s), make_point(now + 2s)});
    EXPECT_EQ(history(Resolution::second, now, now + 1h, 2),
              (std::vector{make_point(now, 1, 1), make_point(now, 1, 2), make_point(now + 1s)}));
    EXPECT_EQ(history(Resolution::second, now, now + 1h, 1).size(), 2u);
    EXPECT_EQ(history(Resolution::second, now, now + 1s).size(), 2u);
    EXPECT_TRUE(history(Resolution::second, now + 3s, now + 1h).empty());
}

TEST_P(StatsLedgerContract, PrunesPointsOfEveryNode) {
    add(Resolution::second, {make_point(now, 1, 1), make_point(now, 1, 2), make_point(now + 1s)});
    EXPECT_EQ(run_to_end(stats.prune(Resolution::second, now + 1s, 1)), 1u);
    EXPECT_EQ(run_to_end(stats.prune(Resolution::second, now + 1s, 9)), 1u);
    EXPECT_EQ(history(Resolution::second, now, now + 1h), std::vector{make_point(now + 1s)});
}

TEST_P(StatsLedgerContract, APointIsKeptOnceAndWhole) {
    add(Resolution::second, {make_point(now, 1)});
    add(Resolution::second, {make_point(now, 2)});
    add(Resolution::minute, {make_point(now, 3)});
    EXPECT_EQ(history(Resolution::second, now, now + 1ms), std::vector{make_point(now, 2)});
    EXPECT_EQ(history(Resolution::minute, now, now + 1ms), std::vector{make_point(now, 3)});
}

TEST_P(StatsLedgerContract, HistoryHasItsFirstInstantAndNotItsLast) {
    add(Resolution::second, {make_point(now + 2s), make_point(now), make_point(now + 1s)});
    EXPECT_EQ(history(Resolution::second, now, now + 2s),
              (std::vector{make_point(now), make_point(now + 1s)}));
    EXPECT_EQ(history(Resolution::second, now + 1ms, now + 1h, 1),
              std::vector{make_point(now + 1s)});
}

TEST_P(StatsLedgerContract, PrunesTheOldestOfOneKind) {
    add(Resolution::second, {make_point(now), make_point(now + 1s), make_point(now + 2s)});
    add(Resolution::minute, {make_point(now)});
    EXPECT_EQ(run_to_end(stats.prune(Resolution::second, now + 2s, 1)), 1u);
    EXPECT_EQ(history(Resolution::second, now, now + 1h).front(), make_point(now + 1s));
    EXPECT_EQ(run_to_end(stats.prune(Resolution::second, now + 2s, 10)), 1u);
    EXPECT_EQ(history(Resolution::second, now, now + 1h), std::vector{make_point(now + 2s)});
    EXPECT_EQ(history(Resolution::minute, now, now + 1h).size(), 1u);
}

RUN_ON_EVERY_ADAPTER(StatsLedgerContract);

}  // namespace
}  // namespace sluice
