
#include "base/run_to_end.hpp"
#include "contract/ledgers.hpp"

namespace sluice {
namespace {

using std::chrono::milliseconds;

class BlockLedgerContract : public contract::LedgerContract {
  protected:
    BlockLedger& blocks = ledgers->all().blocks();

    void SetUp() override { add_user(1); }

    Block make_block(std::int64_t id, const char* subject) const {
        return {.id = BlockId{id},
                .subject = *parse_block_subject(subject),
                .reason = "a \"script\" · 脚本",
                .until = std::nullopt,
                .at = now,
                .by = UserId{1}};
    }
    Outcome<Done> put(const Block& block, std::optional<Block> before = {}) {
        return run_to_end(blocks.put(block, std::move(before), make_deed(++deeds)));
    }
    std::vector<Block> load(Timestamp at) { return run_to_end(blocks.load(at)); }
    std::size_t deeds_written() { return run_to_end(ledgers->all().trail().list({}, 100)).size(); }

    std::int64_t deeds = 0;
};

TEST_P(BlockLedgerContract, LoadsWhatWasPutTheNewestFirst) {
    const auto buyer = make_block(1, "1");
    auto network = make_block(2, "203.0.113.0/24");
    network.until = now + milliseconds{1};
    ASSERT_TRUE(put(buyer));
    ASSERT_TRUE(put(network));
    EXPECT_EQ(load(now), (std::vector{network, buyer}));
    EXPECT_EQ(load(now + milliseconds{1}), std::vector{buyer});
    EXPECT_EQ(deeds_written(), 2u);
}

TEST_P(BlockLedgerContract, PutsOneInThePlaceOfTheOther) {
    const auto first = make_block(1, "203.0.113.7");
    ASSERT_TRUE(put(first));
    auto second = first;
    second.reason = "another";
    second.at = now + milliseconds{5};
    ASSERT_TRUE(put(second, first));
    EXPECT_EQ(load(now), std::vector{second});
}

TEST_P(BlockLedgerContract, RefusesWhatSomebodyElseChangedMeanwhile) {
    const auto first = make_block(1, "203.0.113.7");
    ASSERT_TRUE(put(first));
    EXPECT_EQ(put(make_block(2, "203.0.113.7")).error().reason, Reason::conflict);
    auto other = first;
    other.reason = "another";
    EXPECT_EQ(put(first, other).error().reason, Reason::conflict);
    EXPECT_EQ(run_to_end(blocks.remove(other, make_deed(99))).error().reason, Reason::conflict);
    EXPECT_EQ(load(now), std::vector{first});
    EXPECT_EQ(deeds_written(), 1u) << "a refusal leaves no trail";
}

TEST_P(BlockLedgerContract, WhatHasRunOutIsInNobodysWay) {
    auto old = make_block(1, "203.0.113.7");
    old.until = now + milliseconds{1};
    ASSERT_TRUE(put(old));
    auto fresh = make_block(2, "203.0.113.7");
    fresh.at = now + milliseconds{1};
    ASSERT_TRUE(put(fresh));
    EXPECT_EQ(load(now), std::vector{fresh});
}

TEST_P(BlockLedgerContract, RefusesAnUnknownBuyer) {
    EXPECT_EQ(put(make_block(1, "999")).error().reason, Reason::not_found);
    EXPECT_TRUE(load(now).empty());
}

TEST_P(BlockLedgerContract, RemovesOne) {
    const auto first = make_block(1, "203.0.113.7"), second = make_block(2, "203.0.113.8");
    ASSERT_TRUE(put(first));
    ASSERT_TRUE(put(second));
    ASSERT_TRUE(run_to_end(blocks.remove(first, make_deed(++deeds))));
    EXPECT_EQ(load(now), std::vector{second});
    EXPECT_EQ(deeds_written(), 3u);
}

TEST_P(BlockLedgerContract, IsBounded) {
    ledgers->fill_blocks(kMostBlocks);
    ASSERT_EQ(load(now).size(), kMostBlocks);
    const auto extra = make_block(1'000'000, "203.0.113.7");
    EXPECT_EQ(put(extra).error().detail, Detail::too_many_blocks);
    const auto first = load(now).back();
    auto changed = first;
    changed.reason = "no more of them";
    EXPECT_TRUE(put(changed, first));
    ASSERT_TRUE(run_to_end(blocks.remove(changed, make_deed(++deeds))));
    EXPECT_TRUE(put(extra));
}

RUN_ON_EVERY_ADAPTER(BlockLedgerContract);

}  // namespace
}  // namespace sluice
