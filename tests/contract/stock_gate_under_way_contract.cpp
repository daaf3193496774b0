#include "contract/stock_gates.hpp"

namespace sluice::contract {
namespace {

using namespace std::chrono_literals;

TEST_P(StockGateContract, TellsWhatIsUnderWayInAllCopies) {
    const auto under_way = [&] { return run_to_end(gate.under_way()); };
    const auto before = under_way();
    EXPECT_EQ(before.claims, 0);
    EXPECT_EQ(before.oldest_handed_off, std::nullopt);
    auto second = make_ticket(6);
    second.claimed_at = kNow + 1s;
    claim(make_ticket(7));
    claim(second);
    EXPECT_EQ(under_way().claims, 2);
    EXPECT_EQ(under_way().oldest_handed_off, std::nullopt) << "none is handed off";
    run_to_end(gate.hand_off({StockGate::ClaimName(second)}));
    EXPECT_EQ(under_way().oldest_handed_off, second.claimed_at);
    run_to_end(gate.hand_off({StockGate::ClaimName(make_ticket(7))}));
    EXPECT_EQ(under_way().oldest_handed_off, kNow);
    settle(make_ticket(7));
    settle(make_ticket(7));
    EXPECT_EQ(under_way().claims, 1);
    EXPECT_EQ(under_way().decided - before.decided, 1) << "once, however often it is settled";
    EXPECT_EQ(under_way().oldest_handed_off, second.claimed_at);
    release(second);
    EXPECT_EQ(under_way().claims, 0);
    EXPECT_EQ(under_way().decided - before.decided, 2);
    EXPECT_EQ(under_way().oldest_handed_off, std::nullopt);
}

TEST_P(StockGateContract, ClaimsOfAFormerEpochAreUnderWayUntilTheyAreDecided) {
    claim(make_ticket(7));
    run_to_end(gate.hand_off({StockGate::ClaimName(make_ticket(7))}));
    const auto before = run_to_end(gate.under_way());
    ASSERT_TRUE(warm(make_copy(2)));
    EXPECT_EQ(run_to_end(gate.under_way()).claims, 1);
    EXPECT_EQ(run_to_end(gate.under_way()).oldest_handed_off, kNow);
    settle(make_ticket(7));
    EXPECT_EQ(run_to_end(gate.under_way()).claims, 0);
    EXPECT_EQ(run_to_end(gate.under_way()).decided - before.decided, 1);
    EXPECT_EQ(run_to_end(gate.under_way()).oldest_handed_off, std::nullopt);
}

}  // namespace
}  // namespace sluice::contract
