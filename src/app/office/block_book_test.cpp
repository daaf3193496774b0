#include "app/office/block_book.hpp"

#include <thread>

#include <gtest/gtest.h>

#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

/// Keeps what it is told, without the rules of a real one.
class SimpleLedger final : public BlockLedger {
  public:
    Task<std::vector<Block>> load(Timestamp) override {
        auto seen = blocks;
        if (auto hook = std::exchange(during_load, nullptr)) hook();
        co_return seen;
    }
    Task<Outcome<Done>> put(Block block, std::optional<Block>, Deed deed) override {
        std::erase_if(blocks, [&](const Block& each) { return each.subject == block.subject; });
        blocks.insert(blocks.begin(), std::move(block));
        deeds.push_back(std::move(deed));
        co_return Done{};
    }
    Task<Outcome<Done>> remove(Block block, Deed deed) override {
        std::erase(blocks, block);
        deeds.push_back(std::move(deed));
        co_return Done{};
    }

    std::vector<Block> blocks;  // the newest first
    std::vector<Deed> deeds;
    std::function<void()> during_load;
};

class BlockBookTest : public testing::Test {
  protected:
    testing_support::ManualClock clock;
    SimpleLedger ledger;
    IdSource ids{1};
    std::vector<Block> told;
    BlockBook book{ledger, clock, ids, [this](std::span<const Block> blocks) {
                       told.assign(blocks.begin(), blocks.end());
                   }};
    const Actor actor{.id = UserId{7}, .address = "203.0.113.7", .request_id = "r"};
    const Address from = *Address::parse("203.0.113.7");

    Outcome<Block> put(const char* subject, std::string reason = "",
                       std::optional<Timestamp> until = {}) {
        return run_to_end(book.put(*parse_block_subject(subject),
                                   BlockBook::Wish{std::move(reason), until}, actor, from));
    }
};

TEST_F(BlockBookTest, TellsOfAChangeBeforeItAnswers) {
    ASSERT_TRUE(put("42"));
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].subject, BlockSubject(UserId{42}));
    ASSERT_TRUE(run_to_end(book.lift(UserId{42}, actor)));
    EXPECT_TRUE(told.empty());
    EXPECT_EQ(run_to_end(book.lift(UserId{42}, actor)).error().reason, Reason::not_found);
}

TEST_F(BlockBookTest, WhatChangesNothingIsNoDeed) {
    const auto first = put("42", "script");
    clock.move(1s);
    EXPECT_EQ(*put("42", "script"), *first);
    EXPECT_EQ(ledger.deeds.size(), 1u);
    EXPECT_EQ(put("42", "another")->id, first->id);
    ASSERT_EQ(ledger.deeds.size(), 2u);
    EXPECT_NE(ledger.deeds[1].before.find("script"), std::string::npos);
    EXPECT_NE(ledger.deeds[1].after.find("another"), std::string::npos);
}

TEST_F(BlockBookTest, NobodyBlocksThemselves) {
    for (const char* subject : {"7", "203.0.113.7", "203.0.113.0/24", "203.0.0.0/8"})
        EXPECT_EQ(put(subject).error().detail, Detail::own_block) << subject;
    EXPECT_TRUE(put("203.0.113.8"));
    EXPECT_EQ(ledger.deeds.size(), 1u);
}

TEST_F(BlockBookTest, WhatHasRunOutIsNotThere) {
    ASSERT_TRUE(put("42", "", clock.now() + 1s));
    clock.move(999ms);
    EXPECT_TRUE(book.find(UserId{42}));
    EXPECT_EQ(book.list({}, 9).size(), 1u);
    clock.move(1ms);
    EXPECT_FALSE(book.find(UserId{42}));
    EXPECT_TRUE(book.list({}, 9).empty());
}

TEST_F(BlockBookTest, ANetworkIsKeptOutByAWiderBlockToo) {
    ASSERT_TRUE(put("42"));
    ASSERT_TRUE(put("198.51.100.0/24", "", clock.now() + 1s));
    ASSERT_TRUE(put("2001:db8::/48"));
    std::vector<BlockSubject> asked;
    for (const char* subject : {"42", "43", "198.51.100.7", "198.51.100.0/24", "198.51.0.0/16",
                                "198.51.101.7", "2001:db8::/64", "2001:db8:1::/64"})
        asked.push_back(*parse_block_subject(subject));
    EXPECT_EQ(book.are_blocked(asked),
              (std::vector{true, false, true, true, false, false, true, false}));
    clock.move(1s);
    EXPECT_FALSE(book.are_blocked(asked)[2]) << "it has run out";
    EXPECT_TRUE(book.are_blocked({}).empty());
}

TEST_F(BlockBookTest, WhatAnotherNodeHasChangedIsSeenByTheNextChange) {
    ASSERT_TRUE(put("42", "a robot"));
    const auto elsewhere = ledger.blocks;
    ledger.blocks.clear();
    EXPECT_TRUE(put("42", "a robot")) << "it was lifted elsewhere, so this is a change";
    EXPECT_EQ(ledger.deeds.size(), 2u);

    ledger.blocks.clear();
    ASSERT_TRUE(run_to_end(book.lift(*parse_block_subject("42"), actor)).error().reason ==
                Reason::not_found);
    ledger.blocks = elsewhere;
    EXPECT_TRUE(run_to_end(book.lift(*parse_block_subject("42"), actor)));
}

TEST_F(BlockBookTest, AnOlderReadingDoesNotUndoANewerOne) {
    ledger.during_load = [this] {
        // Somebody blocks 42 after this reading was made and before it is used.
        std::thread([this] { ASSERT_TRUE(put("42")); }).join();
    };
    run_to_end(book.reload());
    EXPECT_EQ(told.size(), 1u);
    EXPECT_TRUE(book.find(UserId{42}));
}

}  // namespace
}  // namespace sluice
