#include "workers/pruner.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/outage.hpp"
#include "base/run_to_end.hpp"
#include "support/scripted_lists.hpp"
#include "support/scripted_ports.hpp"
#include "support/scripted_webhooks.hpp"

namespace sluice {
namespace {

const Timestamp kNow = from_millis(1'800'000'000'000);

class FixedClock final : public Clock {
  public:
    Timestamp now() const override { return kNow; }
};

// Within this time a session's new end is written to its row, unless the disk takes no writes.
constexpr auto kNewsOfASession = std::chrono::minutes{2};

/// Counts what it is asked to prune; the pruner uses nothing else of the port.
class CountingSessions final : public SessionLedger {
  public:
    Task<std::optional<Session>> add(OpenedSession) override { co_return std::nullopt; }
    Task<std::optional<Session>> find(SessionKey, Timestamp) override { co_return std::nullopt; }
    Task<std::vector<SessionKey>> extend(std::vector<Extension>) override {
        co_return std::vector<SessionKey>{};
    }
    Task<Done> remove(SessionKey) override { co_return Done{}; }
    Task<std::vector<SessionKey>> keys_of(UserId) override { co_return std::vector<SessionKey>{}; }
    Task<std::vector<SessionKey>> remove_all(UserId, std::optional<Deed>) override {
        co_return std::vector<SessionKey>{};
    }
    Task<std::size_t> prune(Timestamp now, std::size_t limit) override {
        ++steps;
        EXPECT_LE(now + kNewsOfASession, kNow) << "somebody may be using it";
        if (away) throw Outage("away");
        const auto removed = std::min(expired, limit);
        expired -= removed;
        co_return removed;
    }

    std::size_t expired = 0;
    int steps = 0;
    bool away = false;
};

class CountingReceipts final : public ReceiptLedger {
  public:
    Task<Outcome<Created>> find(Receipt) override { co_return Created{}; }
    Task<std::size_t> prune(Timestamp before, std::size_t limit) override {
        EXPECT_EQ(before, kNow - std::chrono::hours{24});
        const auto removed = std::min(old, limit);
        old -= removed;
        co_return removed;
    }

    std::size_t old = 0;
};

class CountingStats final : public StatsLedger {
  public:
    Task<std::vector<NodeTotals>> totals(std::vector<SaleId>) override {
        co_return std::vector<NodeTotals>{};
    }
    Task<std::vector<SaleTally>> tallies(std::vector<SaleId>) override {
        co_return std::vector<SaleTally>{};
    }
    Task<Done> add_points(Points) override { co_return Done{}; }
    Task<Done> put_totals(std::vector<NodeTotals>) override { co_return Done{}; }
    Task<std::vector<StatsPoint>> history(Stretch, std::size_t) override {
        co_return std::vector<StatsPoint>{};
    }
    Task<std::size_t> prune(Resolution resolution, Timestamp before, std::size_t limit) override {
        const bool second = resolution == Resolution::second;
        EXPECT_EQ(before, kNow - std::chrono::hours{second ? 1 : 720});
        auto& old = second ? old_seconds : old_minutes;
        const auto removed = std::min(old, limit);
        old -= removed;
        co_return removed;
    }

    std::size_t old_seconds = 0, old_minutes = 0;
};

class CountingSandbox final : public SandboxLedger {
  public:
    Task<Account> open(Account draft, Timestamp) override { co_return draft; }
    Task<std::optional<Account>> find(std::string) override { co_return std::nullopt; }
    Task<Outcome<Account>> press(std::string, bool, std::vector<Letter>) override {
        co_return refuse(Reason::not_found);
    }
    Task<Outcome<Done>> refund(std::string, PaymentId, Charge, Letter) override {
        co_return Done{};
    }
    Task<Post> post(Timestamp, std::size_t) override { co_return Post{}; }
    Task<Done> note_delivered(LetterId, Timestamp) override { co_return Done{}; }
    Task<Done> put_off(LetterId, std::optional<Timestamp>) override { co_return Done{}; }
    Task<std::size_t> prune(Timestamp before, std::size_t limit) override {
        EXPECT_EQ(before, kNow - std::chrono::hours{48});
        const auto removed = std::min(old, limit);
        old -= removed;
        co_return removed;
    }

    std::size_t old = 0;
};

class CountingNetworks final : public HoldNetworkLedger {
  public:
    Task<Done> note(std::vector<HoldNetwork>) override { co_return Done{}; }
    Task<std::size_t> prune(Timestamp noted_before, Timestamp over_before,
                            std::size_t limit) override {
        EXPECT_EQ(noted_before, kNow - std::chrono::days{7});
        EXPECT_EQ(over_before, kNow - std::chrono::days{1});
        const auto removed = std::min(old, limit);
        old -= removed;
        co_return removed;
    }

    std::size_t old = 0;
};

class CountingPictures final : public PictureLedger {
  public:
    Task<Outcome<bool>> add(Picture, PictureBounds, Deed) override { co_return false; }
    Task<std::optional<std::string>> find(PictureName) override { co_return std::nullopt; }
    Task<Outcome<Done>> remove(PictureHash, Deed) override { co_return Done{}; }
    Task<std::size_t> prune(Timestamp now, Timestamp unused_since, std::size_t limit) override {
        EXPECT_EQ(unused_since, now - std::chrono::days{7});
        ++steps;
        const auto removed = std::min(unused, limit);
        unused -= removed;
        co_return removed;
    }

    std::size_t unused = 0;
    int steps = 0;
};

class PrunerTest : public testing::Test {
  protected:
    FixedClock clock;
    CountingSessions sessions;
    CountingReceipts receipts;
    CountingStats stats;
    CountingSandbox sandbox;
    testing_support::ScriptedOutbox webhooks;
    testing_support::ScriptedOrders orders;
    CountingNetworks networks;
    testing_support::ScriptedLists lists;
    CountingPictures pictures;
    Pruner pruner{clock,
                  sessions,
                  receipts,
                  stats,
                  sandbox,
                  webhooks,
                  orders,
                  networks,
                  lists,
                  pictures,
                  {.sandbox = std::chrono::hours{48},
                   .delivered = {},
                   .dead = {},
                   .hot_changes = std::chrono::hours{24}}};
};

TEST_F(PrunerTest, PrunesEverythingInBites) {
    sessions.expired = 1'700;
    receipts.old = 900;
    stats.old_seconds = stats.old_minutes = 600;
    sandbox.old = 700;
    webhooks.old = 501;
    orders.old_hot_changes = 700;
    networks.old = 1'100;
    lists.old_rows = 1'100;
    pictures.unused = 50;
    run_to_end(pruner.prune_once());
    EXPECT_EQ(sandbox.old, 0U);
    EXPECT_EQ(webhooks.old, 0U);
    EXPECT_EQ(orders.old_hot_changes, 0U);
    EXPECT_EQ(networks.old, 0U);
    EXPECT_EQ(lists.old_rows, 0U);
    EXPECT_EQ(lists.over_before, kNow - std::chrono::days{30});
    EXPECT_EQ(pictures.unused, 0U);
    EXPECT_EQ(sessions.expired, 0U);
    EXPECT_EQ(receipts.old, 0U);
    EXPECT_EQ(stats.old_seconds + stats.old_minutes, 0U);
    EXPECT_EQ(sessions.steps, 4);
}

TEST_F(PrunerTest, LooksForUnusedPicturesOnceAnHour) {
    run_to_end(pruner.prune_once());
    run_to_end(pruner.prune_once());
    EXPECT_EQ(pictures.steps, 1);
}

TEST_F(PrunerTest, ARoundTellsOfAnOutage) {
    sessions.away = true;
    EXPECT_THROW(run_to_end(pruner.prune_once()), Outage);
}

TEST_F(PrunerTest, ARoundIsBounded) {
    sessions.expired = 1'000'000;
    run_to_end(pruner.prune_once());
    EXPECT_EQ(sessions.steps, 200);
    EXPECT_EQ(sessions.expired, 900'000U);
}

}  // namespace
}  // namespace sluice
