#include "app/catalog/sale_stats.hpp"

#include <gtest/gtest.h>

#include "base/outage.hpp"
#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/scripted_ports.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using Step = FunnelCounts::Step;

/// Keeps what it is given; is away when told so.
class TestStatsLedger final : public StatsLedger {
  public:
    std::map<std::int64_t, std::map<SaleId, NodeTotals>> rows;  // by node
    std::map<SaleId, Funnel> funnels;                           // of node 0
    OrderTally orders;
    Stock stock{.total = 5, .left = 4, .held = 1, .sold = 0};
    using Instant = std::pair<Timestamp, std::int64_t>;  // on a node
    std::map<Instant, StatsPoint> seconds, minutes;
    bool away = false;
    bool keeps_silent = false;  // after it has kept points

    Task<std::vector<NodeTotals>> totals(std::vector<SaleId> sales) override {
        if (away) throw Outage("away");
        std::vector<NodeTotals> all;
        for (const auto sale : sales) {
            all.push_back({.sale = sale, .funnel = funnels[sale]});
            for (const auto& [node, of_node] : rows)
                if (of_node.contains(sale)) all.push_back(of_node.at(sale));
        }
        co_return all;
    }
    Task<std::vector<SaleTally>> tallies(std::vector<SaleId> sales) override {
        if (away) throw Outage("away");
        const SaleTally tally{.orders = orders, .stock = stock};
        co_return std::vector<SaleTally>(sales.size(), tally);
    }
    Task<Done> add_points(Points points) override {
        if (away) throw Outage("away");
        auto& kept = points.resolution == Resolution::second ? seconds : minutes;
        for (const auto& point : points.points) kept[{point.at, point.node}] = point;
        if (keeps_silent) throw UnknownOutcome("no answer");
        co_return Done{};
    }
    Task<Done> put_totals(std::vector<NodeTotals> totals) override {
        for (const auto& each : totals)
            if (each.node == 0)
                funnels[each.sale] = each.funnel;
            else
                rows[each.node][each.sale] = each;
        co_return Done{};
    }
    Task<std::vector<StatsPoint>> history(Stretch stretch, std::size_t) override {
        std::vector<StatsPoint> points;
        for (const auto& [at, point] : stretch.resolution == Resolution::second ? seconds : minutes)
            points.push_back(point);
        co_return points;
    }
    Task<std::size_t> prune(Resolution, Timestamp, std::size_t) override { co_return 0; }
};

class SaleStatsTest : public testing::Test {
  protected:
    static constexpr SaleId kSale{7};

    testing_support::ManualClock clock;  // at the beginning of a minute
    testing_support::EmptyCatalogLedger nothing;
    Catalog catalog{nothing};
    testing_support::ScriptedGate gate;
    TestStatsLedger ledger;
    FunnelCounts counts{2, 1};
    SaleStats stats{counts, {"sold_out", "busy"}, catalog, gate,
                    ledger, [] { return 3; },     clock,   {}};

    void SetUp() override {
        Item item;
        item.id = ItemId{1};
        catalog.put(item);
        Sale sale;
        sale.id = kSale;
        sale.item_id = item.id;
        sale.stock = {.total = 5, .left = 4, .held = 1, .sold = 0};
        catalog.put(sale);
    }

    void visit(int times = 1) {
        for (int i = 0; i < times; ++i)
            counts.count(0, counts.take(kSale.value).value(), Step::visit);
    }
    void gather_after(std::chrono::milliseconds pause) {
        clock.move(pause);
        run_to_end(stats.gather());
    }
    StatsPoint show() { return run_to_end(stats.show(catalog.sale(kSale))); }
    SaleStats::History past(Resolution resolution) {
        return run_to_end(
            stats.history({kSale, resolution, clock.now() - 1h, clock.now() + 1h}, 100));
    }
    std::vector<StatsPoint> history(Resolution resolution) { return past(resolution).points; }
};

TEST_F(SaleStatsTest, ShowsWhatWasGathered) {
    const auto place = counts.take(kSale.value).value();
    visit(3);
    counts.count(0, place, Step::attempt);
    counts.count_refusal(0, place, 1);
    counts.count_latency(0, place, 90us);
    gate.seen.claims = 2;
    gather_after(500ms);
    ledger.orders = {.orders = 4, .paid = 1, .expired = 2};
    gather_after(400ms);

    const auto seen = show();
    EXPECT_EQ(seen.at, clock.now());
    EXPECT_EQ(seen.funnel.visits, 3);
    EXPECT_EQ(seen.funnel.attempts, 1);
    EXPECT_EQ(seen.funnel.refusals, (std::map<std::string, std::int64_t>{{"busy", 1}}));
    EXPECT_EQ(seen.funnel.claims, 2);
    EXPECT_EQ(seen.funnel.orders, ledger.orders);
    EXPECT_EQ(seen.stock, (Stock{.total = 5, .left = 4, .held = 1, .sold = 0}));
    EXPECT_EQ(seen.backlog, 3);
    EXPECT_GT(seen.latency.p50, 90us);
    EXPECT_LT(seen.latency.p999, 105us);
}

TEST_F(SaleStatsTest, StockAndOrdersAreOfOneInstant) {
    visit();
    ledger.orders = {.orders = 2, .paid = 1, .expired = 0};
    ledger.stock = {.total = 5, .left = 3, .held = 1, .sold = 1};
    gather_after(500ms);
    // The shop window moves on before the next gathering.
    auto sold = catalog.sale(kSale)->sale;
    sold.stock = {.total = 5, .left = 0, .held = 0, .sold = 5};
    catalog.put_news(sold);
    EXPECT_EQ(show().stock, ledger.stock);
    EXPECT_EQ(show().funnel.orders, ledger.orders);
    gather_after(600ms);
    EXPECT_EQ(history(Resolution::second).at(0).stock, ledger.stock);
}

TEST_F(SaleStatsTest, TheTotalOfAHistoryEndsWithItsLastPoint) {
    visit(3);
    ledger.orders.orders = 60;
    gather_after(1s);
    visit(4);
    ledger.orders.orders = 70;
    gather_after(100ms);
    const auto past = this->past(Resolution::second);
    ASSERT_EQ(past.points.size(), 1u);
    EXPECT_EQ(past.total, past.points[0].funnel) << "and has nothing of the second that runs";
    EXPECT_EQ(show().funnel.orders.orders, 70);
}

TEST_F(SaleStatsTest, ClaimsGoOnWhenTheHotCopyWasDroppedAndFilledAnew) {
    const auto claims = [&] { return show().funnel.claims; };
    visit();
    gate.seen.claims = 5;
    gather_after(100ms);
    EXPECT_EQ(claims(), 5);
    gate.seen = {};
    visit();
    gather_after(100ms);
    EXPECT_EQ(claims(), 5) << "no copy, no claims";
    gate.seen = {.warm = true, .left = 5, .claims = 2};
    visit();
    gather_after(100ms);
    EXPECT_EQ(claims(), 7);
    gate.seen.claims = 1;
    visit();
    gather_after(100ms);
    EXPECT_EQ(claims(), 8) << "dropped and filled between two looks";
}

TEST_F(SaleStatsTest, LatencyIsThatOfTheLastSeconds) {
    counts.count_latency(0, counts.take(kSale.value).value(), 90us);
    visit();
    gather_after(100ms);
    for (std::size_t second = 1; second < SaleStats::kWindow; ++second) gather_after(1s);
    EXPECT_GT(show().latency.p50, 0us);
    gather_after(1s);
    EXPECT_EQ(show().latency.p50, 0us);
}

TEST_F(SaleStatsTest, ASaleThatNobodyAskedForShowsWhatIsOnRecord) {
    ledger.funnels[kSale].visits = 11;
    ledger.funnels[kSale].orders.orders = 3;
    ledger.orders.orders = 5;
    EXPECT_EQ(show().funnel.visits, 11);
    EXPECT_EQ(show().funnel.orders.orders, 5);
    visit();
    gather_after(1s);
    EXPECT_EQ(show().funnel.visits, 12);
    EXPECT_EQ(show().funnel.orders.orders, 5);
    EXPECT_EQ(history(Resolution::second).at(0).funnel.orders.orders, 2) << "that none has seen";
}

TEST_F(SaleStatsTest, ASecondIsAPointWhenItIsOver) {
    visit(2);
    gather_after(500ms);
    EXPECT_TRUE(history(Resolution::second).empty());
    visit();
    gather_after(500ms);
    gather_after(5s);
    visit(5);
    gather_after(500ms);
    gather_after(500ms);
    const auto points = history(Resolution::second);
    ASSERT_EQ(points.size(), 2u) << "a second in which nothing happened has none";
    EXPECT_EQ(points[0].at, from_millis(1'794'513'600'000));
    EXPECT_EQ(points[0].funnel.visits, 3);
    EXPECT_EQ(points[1].funnel.visits, 5);
    EXPECT_TRUE(ledger.seconds.empty()) << "nothing is written before the minute is over";
}

TEST_F(SaleStatsTest, AMinuteIsWrittenWhenItIsOver) {
    visit(2);
    gather_after(1s);
    visit(3);
    gather_after(58'999ms);
    EXPECT_TRUE(ledger.minutes.empty());
    gather_after(1ms);
    ASSERT_EQ(ledger.minutes.size(), 1u);
    EXPECT_EQ(ledger.minutes.begin()->second.funnel.visits, 5);
    EXPECT_EQ(ledger.seconds.size(), 2u);
    EXPECT_EQ(ledger.funnels[kSale].visits, 5);
    EXPECT_EQ(history(Resolution::second).size(), 2u);
}

TEST_F(SaleStatsTest, AnOutageLosesNothing) {
    visit(2);
    gather_after(1s);
    ledger.away = true;
    visit(3);
    clock.move(1min);
    EXPECT_THROW(run_to_end(stats.gather()), Outage);
    ledger.away = false;
    gather_after(1min);
    EXPECT_EQ(ledger.funnels[kSale].visits, 5);
    EXPECT_EQ(show().funnel.visits, 5);
}

TEST_F(SaleStatsTest, TheEndWritesWhatIsLeft) {
    visit(2);
    run_to_end(stats.close());
    EXPECT_EQ(ledger.funnels[kSale].visits, 2);
    EXPECT_EQ(ledger.seconds.size(), 1u);
    EXPECT_EQ(ledger.minutes.size(), 1u);
}

TEST_F(SaleStatsTest, PointsThatWaitAreBounded) {
    SaleStats many{counts, {"sold_out", "busy"}, catalog, gate,
                   ledger, [] { return 3; },     clock,   {}};
    std::size_t watched = 0;
    for (std::int64_t sale = 100; sale < 300; ++sale) watched += counts.take(sale).has_value();
    std::size_t seconds = 0;
    for (; seconds * watched <= SaleStats::kMostWaiting; ++seconds) {
        for (std::size_t place = 0; place < FunnelCounts::kPlaces; ++place)
            counts.count(0, place, Step::visit);
        clock.move(1s);
        ASSERT_LT(seconds, 59u) << "within the minute";
        run_to_end(many.gather());
    }
    EXPECT_EQ(many.points_given_up(), seconds * watched - SaleStats::kMostWaiting);
}

/// Two nodes on one ledger.
class SaleStatsOfNodesTest : public SaleStatsTest {
  protected:
    struct Node {
        Node(SaleStatsOfNodesTest& test, std::int64_t number)
            : stats(counts, {"sold_out", "busy"}, test.catalog, gate, test.ledger, [] { return 3; },
                    test.clock, {.number = number, .has_others = true}) {}

        void visit(int times) {
            for (int i = 0; i < times; ++i)
                counts.count(0, counts.take(kSale.value).value(), Step::visit);
        }
        void take(std::chrono::microseconds took) {
            counts.count_latency(0, counts.take(kSale.value).value(), took);
        }
        void commit(OrderState became) {
            Order order;
            order.sale_id = kSale;
            order.state = became;
            const BuyerNews news{UserId{5}, order};
            stats.note({&news, 1});
        }

        FunnelCounts counts{2, 1};
        testing_support::ScriptedGate gate;
        SaleStats stats;
    };
    Node one{*this, 1}, two{*this, 2};

    void gather_all(std::chrono::milliseconds pause) {
        clock.move(pause);
        for (auto* node : {&one, &two}) run_to_end(node->stats.gather());
    }
    StatsPoint show(Node& node) { return run_to_end(node.stats.show(catalog.sale(kSale))); }
    SaleStats::History history_of(Node& node) {
        return run_to_end(node.stats.history(
            {kSale, Resolution::second, clock.now() - 1h, clock.now() + 1h}, 100));
    }
};

TEST_F(SaleStatsOfNodesTest, EachShowsTheSumWithinASecondOrTwo) {
    one.visit(3);
    one.gate.seen.claims = 2;
    one.take(90us);
    two.visit(4);
    two.take(900us);
    ledger.orders = {.orders = 4, .paid = 1, .expired = 2};
    for (int i = 0; i < 4; ++i) gather_all(500ms);
    for (auto* node : {&one, &two}) {
        const auto seen = show(*node);
        EXPECT_EQ(seen.funnel.visits, 7);
        EXPECT_EQ(seen.funnel.claims, 2);
        EXPECT_EQ(seen.funnel.orders, ledger.orders) << "once, though both have seen them";
        EXPECT_EQ(seen.backlog, 6);
        EXPECT_GE(seen.latency.p50, 900us) << "of the slower one";
    }
}

TEST_F(SaleStatsOfNodesTest, ANodeThatNobodyAskedShowsWhatTheOtherHasWritten) {
    one.visit(3);
    one.take(90us);
    gather_all(1s);
    const auto seen = show(two);
    EXPECT_EQ(seen.funnel.visits, 3);
    EXPECT_EQ(seen.backlog, 6);
    EXPECT_GT(seen.latency.p50, 0us);
    clock.move(1min);
    EXPECT_EQ(show(two).backlog, 3) << "of a minute ago";
}

TEST_F(SaleStatsOfNodesTest, PointsOfOneSecondAreAdded) {
    one.visit(3);
    two.visit(4);
    gather_all(1s);
    one.visit(1);
    for (int i = 0; i < 3; ++i) gather_all(1s);
    for (auto* node : {&one, &two}) {
        const auto past = history_of(*node);
        ASSERT_EQ(past.points.size(), 2u);
        EXPECT_EQ(past.points[0].funnel.visits, 7);
        EXPECT_EQ(past.points[1].funnel.visits, 1);
        EXPECT_EQ(past.total.visits, 8);
    }
}

TEST_F(SaleStatsOfNodesTest, APointThatIsWrittenAndStillWaitsIsNotAddedToItself) {
    one.visit(3);
    run_to_end(one.stats.gather());
    clock.move(1s);
    ledger.keeps_silent = true;
    EXPECT_THROW(run_to_end(one.stats.gather()), UnknownOutcome);
    ASSERT_EQ(ledger.seconds.size(), 1u);
    ASSERT_EQ(history_of(one).points.size(), 1u);
    EXPECT_EQ(history_of(one).points[0].funnel.visits, 3);
}

TEST_F(SaleStatsOfNodesTest, AnOrderIsInTheHistoryOfWhoeverCommittedIt) {
    one.commit(OrderState::pending);
    one.commit(OrderState::pending);
    one.commit(OrderState::paid);
    two.commit(OrderState::expired);
    two.commit(OrderState::cancelled);
    ledger.orders = {.orders = 2, .paid = 1, .expired = 1};
    for (int i = 0; i < 3; ++i) gather_all(1s);
    ASSERT_EQ(history_of(one).points.size(), 1u);
    EXPECT_EQ(history_of(one).points[0].funnel.orders, ledger.orders);
    EXPECT_EQ(history_of(two).total.orders, ledger.orders);
}

TEST_F(SaleStatsOfNodesTest, AfterARestartANodeGoesOnFromItsOwnRow) {
    one.visit(3);
    two.visit(4);
    for (int i = 0; i < 3; ++i) gather_all(1s);
    Node again{*this, 1};
    again.visit(2);
    run_to_end(again.stats.gather());
    EXPECT_EQ(show(again).funnel.visits, 9);
    run_to_end(again.stats.close());
    EXPECT_EQ(ledger.rows.at(1).at(kSale).funnel.visits, 5);
}

TEST_F(SaleStatsTest, FiguresOfFormerNodesAreAdded) {
    NodeTotals former{.sale = kSale, .node = 5};
    former.funnel.visits = 10;
    former.funnel.orders.orders = 3;
    ledger.rows[5][kSale] = former;
    ledger.orders.orders = 4;
    visit(1);
    gather_after(1s);
    EXPECT_EQ(show().funnel.visits, 11);
    EXPECT_EQ(history(Resolution::second).at(0).funnel.orders.orders, 1) << "not theirs again";
}

TEST_F(SaleStatsTest, AQuietSaleGivesItsPlaceUpAndComesBackWithItsTotals) {
    Sale sale = catalog.sale(kSale)->sale;
    sale.stock = {.total = 5, .left = 5, .held = 0, .sold = 0};
    catalog.put_news(sale);
    gate.seen.claims = 1;
    visit(2);
    gather_after(1min);
    ASSERT_TRUE(counts.find(kSale.value));
    gather_after(SaleStats::kQuiet);
    gather_after(1min);
    EXPECT_FALSE(counts.find(kSale.value));
    EXPECT_EQ(show().funnel.visits, 2);
    visit();
    gather_after(1s);
    EXPECT_EQ(show().funnel.visits, 3);
    EXPECT_EQ(show().funnel.claims, 1) << "not counted again";
}

}  // namespace
}  // namespace sluice
