#include "app/orders/holds_desk.hpp"

#include <gtest/gtest.h>

#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/scripted_ports.hpp"

namespace sluice {
namespace {

using testing_support::ScriptedGate;
using testing_support::ScriptedOrders;

class FixedList final : public OrderList {
  public:
    HoldsOfSale answer;

    Task<std::vector<Row>> list(Wanted) override { co_return std::vector<Row>{}; }
    Task<HoldsOfSale> holds(SaleId, Timestamp) override { co_return answer; }
};

/// Has the buyers with ids below 100.
class FewBuyers final : public BlockLedger {
  public:
    std::vector<Block> blocks;

    Task<std::vector<Block>> load(Timestamp) override { co_return blocks; }
    Task<Outcome<Done>> put(Block block, std::optional<Block>, Deed) override {
        const auto* buyer = std::get_if<UserId>(&block.subject);
        if (buyer && buyer->value >= 100) co_return refuse(Reason::not_found);
        blocks.push_back(std::move(block));
        co_return Done{};
    }
    Task<Outcome<Done>> remove(Block, Deed) override { co_return Done{}; }
};

class HoldsDeskTest : public testing::Test {
  protected:
    testing_support::ManualClock clock;
    Log log{Log::Level::error, Log::Format::text};
    IdSource ids{1};
    FixedList list;
    ScriptedOrders ledger;
    ScriptedGate gate;
    FewBuyers block_ledger;
    BlockBook blocks{block_ledger, clock, ids, [](std::span<const Block>) {}};
    HotOutbox outbox{gate, ledger, log};
    HoldsDesk desk{list, ledger, blocks, outbox, clock, ids};
    const SaleId sale{5};
    const Actor actor{.id = UserId{7}, .address = "203.0.113.7", .request_id = "r"};

    HoldsDeskTest() {
        gate.held[sale] = {};
        ledger.outbox[sale] = {
            HotChange{.seq = 1, .delta_left = 1, .buyer = UserId{8}, .delta_units = -1}};
    }
    Outcome<HoldsDesk::GivenBack> give_back(const char* of, bool block = false,
                                            std::string reason = "") {
        HoldsDesk::Wish wish{.sale = sale,
                             .of = *parse_block_subject(of),
                             .block = block,
                             .reason = std::move(reason)};
        return run_to_end(desk.give_back(std::move(wish), actor, *Address::parse("203.0.113.7")));
    }
    static OrderLedger::HoldsGivenBack bite(std::int64_t orders, std::int64_t last, bool more) {
        return {
            .held = {.orders = orders, .units = 2 * orders}, .last = OrderId{last}, .more = more};
    }
};

TEST_F(HoldsDeskTest, GoesOnBiteAfterBiteUntilNothingIsLeft) {
    ledger.given_back = {bite(200, 90, true), bite(0, 95, true), bite(7, 99, false)};
    const auto given = give_back("8");
    ASSERT_TRUE(given);
    EXPECT_EQ(given->held, (Held{207, 414}));
    EXPECT_FALSE(given->more);
    EXPECT_FALSE(given->blocked);
    ASSERT_EQ(ledger.wanted_back.size(), 3u);
    EXPECT_EQ(ledger.wanted_back[0].limit, HoldsDesk::kAtOnce);
    EXPECT_EQ(ledger.wanted_back[0].after, OrderId{});
    EXPECT_EQ(ledger.wanted_back[1].after, OrderId{90});
    EXPECT_EQ(ledger.wanted_back[2].after, OrderId{95}) << "past those that could not be cancelled";
    EXPECT_EQ(ledger.deeds[0].action, "holds.give_back");
    EXPECT_EQ(ledger.deeds[0].subject, sale.text());
    EXPECT_NE(ledger.deeds[0].id, ledger.deeds[2].id);
    EXPECT_EQ(gate.applied.size(), 1u) << "the hot copy has learned of it";
}

TEST_F(HoldsDeskTest, OneRequestHasABound) {
    for (int i = 1; i <= HoldsDesk::kMostRounds; ++i)
        ledger.given_back.push_back(bite(200, i, true));
    const auto given = give_back("8");
    EXPECT_EQ(given->held.orders, 2'000);
    EXPECT_TRUE(given->more);
}

TEST_F(HoldsDeskTest, NothingHeldIsNothingToTell) {
    const auto given = give_back("198.51.100.7");
    EXPECT_EQ(given->held, Held{});
    EXPECT_TRUE(gate.applied.empty());
}

TEST_F(HoldsDeskTest, BlocksBeforeItGivesBack) {
    ledger.away = true;
    EXPECT_THROW(give_back("198.51.100.7", true, "holds and never pays"), Outage);
    ASSERT_EQ(block_ledger.blocks.size(), 1u) << "the block is there, and asking again goes on";
    EXPECT_EQ(block_ledger.blocks[0].reason, "holds and never pays");
    ledger.away = false;
    ledger.given_back = {bite(3, 9, false)};
    const auto given = give_back("198.51.100.7", true, "holds and never pays");
    EXPECT_EQ(given->held.orders, 3);
    EXPECT_TRUE(given->blocked);
    EXPECT_EQ(block_ledger.blocks.size(), 1u);
}

TEST_F(HoldsDeskTest, ABlockThatIsRefusedGivesNothingBack) {
    ledger.given_back = {bite(3, 9, false)};
    EXPECT_EQ(give_back("7", true).error().detail, Detail::own_block);
    EXPECT_EQ(give_back("203.0.113.0/24", true).error().detail, Detail::own_block);
    EXPECT_EQ(give_back("100", true).error().reason, Reason::not_found);
    EXPECT_EQ(give_back("8", true, std::string(201, 'x')).error().reason, Reason::invalid);
    EXPECT_TRUE(ledger.wanted_back.empty());
    EXPECT_TRUE(give_back("7")) << "one's own holds may be given back without a block";
}

TEST_F(HoldsDeskTest, ShowsWhoIsBlocked) {
    list.answer.buyers = {{.id = UserId{8}}, {.id = UserId{9}}};
    list.answer.networks = {{.network = *Network::parse("198.51.100.7")},
                            {.network = *Network::parse("192.0.2.1")}};
    ASSERT_TRUE(give_back("9", true));
    ASSERT_TRUE(give_back("198.51.100.0/24", true));
    const auto shown = run_to_end(desk.show(sale));
    EXPECT_EQ(shown.at, clock.now());
    EXPECT_EQ(shown.buyers_blocked, (std::vector{false, true}));
    EXPECT_EQ(shown.networks_blocked, (std::vector{true, false}));
}

}  // namespace
}  // namespace sluice
