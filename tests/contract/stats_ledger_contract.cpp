#include "base/run_to_end.hpp"
#include "contract/ledgers.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

class StatsLedgerContract : public contract::OrderContract {
  protected:
    StatsLedger& stats = ledgers->all().stats();

    StatsPoint make_point(Timestamp at, std::int64_t visits = 1) const {
        StatsPoint point{.sale = sale.id,
                         .at = at,
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

TEST_P(StatsLedgerContract, TheLastTotalsCount) {
    EXPECT_EQ(run_to_end(stats.totals(sale.id)), Funnel{});
    auto funnel = make_point(now).funnel;
    run_to_end(stats.put_totals({{sale.id, funnel}}));
    funnel.visits = 70;
    funnel.refusals["conflict"] = 1;
    run_to_end(stats.put_totals({{sale.id, funnel}}));
    EXPECT_EQ(run_to_end(stats.totals(sale.id)), funnel);
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
