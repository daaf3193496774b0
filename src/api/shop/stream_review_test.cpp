#include "api/shop/stream_review.hpp"

#include <set>

#include <gtest/gtest.h>

#include "base/outage.hpp"
#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/scripted_ports.hpp"
#include "support/test_loop.hpp"

namespace sluice::api {
namespace {

/// Has the sessions that a test gives it.
class TestSessions final : public SessionStore {
  public:
    std::set<SessionKey> living;
    bool away = false;

    Task<bool> lives(SessionKey key, Timestamp) override {
        if (away) throw Outage("away");
        co_return living.contains(key);
    }
    void touch(const SessionKey&, Timestamp) override {}
    std::optional<Caller> peek(const TokenHandle&, Timestamp) override { return std::nullopt; }
    Task<std::optional<Caller>> find(SessionName, Timestamp) override { co_return std::nullopt; }
    Task<std::optional<Caller>> open(SessionName, Proven, Timestamp) override {
        co_return std::nullopt;
    }
    Task<Done> close(SessionKey) override { co_return Done{}; }
    Task<std::string> user_name(SessionKey, Timestamp) override { co_return std::string{}; }
    Task<Done> close_all(UserId) override { co_return Done{}; }
    Task<Done> forget(std::vector<SessionKey>) override { co_return Done{}; }
    Task<Done> refresh(UserId) override { co_return Done{}; }
};

class Listener final : public StreamListener {
  public:
    std::optional<Dismissal> dismissed;

    void hear(const BuyerNews&) override {}
    void hear(SaleId, std::shared_ptr<const std::string>) override {}
    void dismiss(Dismissal why) override { dismissed = why; }
};

class StreamReviewTest : public testing::Test {
  protected:
    testing_support::TestLoop loop;
    testing_support::EmptyCatalogLedger ledger;
    testing_support::ManualClock clock;
    Catalog catalog{ledger};
    StreamHub hub{
        catalog,
        clock,
        std::vector<Executor*>{&loop},
        {.all = 9, .per_user = 9, .per_address = 9, .watched = 9, .exempts = [](const Address&) {
             return false;
         }}};
    TestSessions sessions;
    gate::BlockList blocks;
    StreamReview review{hub, sessions, blocks, clock};
    Listener listeners[3];
    std::vector<std::unique_ptr<StreamHub::Seat>> seats;

    /// Buyers 1, 2 and 3, each with a session and an address.
    void SetUp() override {
        for (unsigned char i = 1; i <= 3; ++i) {
            sessions.living.insert(SessionKey{i});
            const auto address = Address::parse("192.0.2." + std::to_string(i));
            auto reservation = hub.admit({SessionKey{i}, UserId{i}, *address}, 0).value();
            seats.push_back(
                std::make_unique<StreamHub::Seat>(std::move(reservation), listeners[i - 1]));
        }
    }
    void block(const char* subject) {
        blocks.replace(std::vector{Block{.id = BlockId{1},
                                         .subject = *parse_block_subject(subject),
                                         .reason = "",
                                         .until = {},
                                         .at = clock.now(),
                                         .by = UserId{1}}});
    }
    std::vector<std::optional<Dismissal>> dismissed() {
        loop.poll();
        return {listeners[0].dismissed, listeners[1].dismissed, listeners[2].dismissed};
    }
    using Expected = std::vector<std::optional<Dismissal>>;
};

TEST_F(StreamReviewTest, LeavesThoseAloneWhoMayStay) {
    run_to_end(review.review());
    EXPECT_EQ(dismissed(), Expected(3));
}

TEST_F(StreamReviewTest, SeesOffWhoeverHasNoSession) {
    sessions.living.erase(SessionKey{2});
    run_to_end(review.review());
    EXPECT_EQ(dismissed(), (Expected{{}, Dismissal::session_ended, {}}));
}

TEST_F(StreamReviewTest, SeesOffBlockedBuyers) {
    block("3");
    run_to_end(review.review());
    EXPECT_EQ(dismissed(), (Expected{{}, {}, Dismissal::blocked}));
}

TEST_F(StreamReviewTest, SeesOffBlockedAddresses) {
    block("192.0.2.1");
    run_to_end(review.review());
    EXPECT_EQ(dismissed(), (Expected{Dismissal::blocked, {}, {}}));
}

TEST_F(StreamReviewTest, NobodyLeavesForWantOfAnAnswer) {
    sessions.away = true;
    block("3");
    EXPECT_THROW(run_to_end(review.review()), Outage);
    EXPECT_EQ(dismissed(), (Expected{{}, {}, Dismissal::blocked})) << "of blocks we are sure";
}

}  // namespace
}  // namespace sluice::api
