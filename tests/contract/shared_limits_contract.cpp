// Limits counted by one process, and by two nodes together.

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "adapters/redis/redis_counts.hpp"
#include "base/run_to_end.hpp"
#include "gate/attempt_limiter.hpp"
#include "gate/code_limiter.hpp"
#include "gate/count_exchange.hpp"
#include "gate/guess_limiter.hpp"
#include "gate/log_in_limiter.hpp"
#include "gate/new_account_limiter.hpp"
#include "support/redis_node.hpp"
#include "support/redis_server.hpp"

namespace sluice::gate {
namespace {

using namespace std::chrono_literals;
using testing_support::RedisServer;

constexpr std::array<unsigned char, 16> kKey{1, 2, 3};

/// All limiters of one node.
struct Node {
    Node(const LimitScope& scope, SharedCounts* shared)
        : exchange(shared ? std::make_unique<CountExchange>(*shared) : nullptr),
          log_in(scope, kKey, shared),
          guesses(scope, kKey, exchange.get()),
          attempts(kKey, exchange.get()),
          accounts(scope, kKey, 100, exchange.get()),
          codes(scope, kKey, 5, exchange.get()),
          rates(1 << 4, {.with = exchange.get(), .name = 'r', .quiet_below = 4}) {}

    std::unique_ptr<CountExchange> exchange;
    LogInLimiter log_in;
    GuessLimiter guesses;
    AttemptLimiter attempts;
    NewAccountLimiter accounts;
    CodeLimiter codes;
    RateLimiter rates;
};

/// Two nodes, which may be the same one.
class TwoNodes {
  public:
    virtual ~TwoNodes() = default;
    virtual Node& first() = 0;
    virtual Node& second() = 0;
    /// As the keeper does four times a second.
    virtual void exchange() {}
};

class OneProcess final : public TwoNodes {
  public:
    explicit OneProcess(const LimitScope& scope) : node_(scope, nullptr) {}
    Node& first() override { return node_; }
    Node& second() override { return node_; }

  private:
    Node node_;
};

class OverRedis final : public TwoNodes {
  public:
    explicit OverRedis(const LimitScope& scope)
        : first_(scope, &counts_), second_(scope, &counts_) {}
    Node& first() override { return first_; }
    Node& second() override { return second_; }
    void exchange() override {
        for (auto* const node : {&first_, &second_}) {
            run_to_end(node->exchange->exchange());
            run_to_end(node->codes.exchange(counts_, std::chrono::steady_clock::now()));
        }
    }

  private:
    testing_support::RedisNode redis_{RedisServer::shared().options()};
    redis::RedisCounts counts_{redis_.client()};
    Node first_, second_;
};

struct NodesMaker {
    const char* name;
    std::unique_ptr<TwoNodes> (*make)(const LimitScope&);
};

template <class Nodes>
NodesMaker maker(const char* name) {
    return {name, [](const LimitScope& scope) -> std::unique_ptr<TwoNodes> {
                return std::make_unique<Nodes>(scope);
            }};
}

class SharedLimitsContract : public testing::TestWithParam<NodesMaker> {
  protected:
    LogInLimiter::Try guess_from(const Address& where) const {
        return {.whose = "13800000001", .client = where};
    }
    bool may_try(Node& node, const LogInLimiter::Try& attempt) {
        if (node.log_in.count(attempt, now()).count.wait.count() > 0) return false;
        return run_to_end(node.log_in.confirm(attempt)).count.wait.count() == 0;
    }
    static RateLimiter::Instant now() { return std::chrono::steady_clock::now(); }

    const LimitScope scope{true};
    const std::unique_ptr<TwoNodes> nodes = GetParam().make(scope);
    Node& first = nodes->first();
    Node& second = nodes->second();
    const Address here = Address::parse("192.0.2.7").value();
    const Address six = Address::parse("2001:db8::1").value();
};

TEST_P(SharedLimitsContract, WrongPasswordsAreCountedExactlyOverAllNodes) {
    for (const auto& where : {here, six}) {
        int tried = 0;
        for (std::uint32_t i = 0; i < 3 * LogInLimiter::kPasswords.of_one.burst; ++i)
            tried += may_try(i % 2 == 0 ? first : second, guess_from(where));
        EXPECT_EQ(tried, LogInLimiter::kPasswords.of_one.burst);
    }
}

TEST_P(SharedLimitsContract, ARightPasswordForgivesTheMistakesEverywhere) {
    for (int i = 0; i < 9; ++i) may_try(i % 2 == 0 ? first : second, guess_from(here));
    ASSERT_TRUE(may_try(first, guess_from(here)));
    run_to_end(first.log_in.forgive(guess_from(here)));
    EXPECT_TRUE(may_try(second, guess_from(here)));
    EXPECT_TRUE(may_try(first, guess_from(here)));
}

TEST_P(SharedLimitsContract, AKnownDeviceIsCountedByItselfOnAllNodes) {
    auto known = guess_from(here);
    known.device = DeviceId{1};
    int tried = 0;
    for (std::uint32_t i = 0; i < 3 * LogInLimiter::kPasswords.of_one.burst; ++i)
        tried += may_try(i % 2 == 0 ? first : second, known);
    EXPECT_EQ(tried, LogInLimiter::kPasswords.of_one.burst);
    EXPECT_TRUE(may_try(second, guess_from(here))) << "strangers have counts of their own";
}

TEST_P(SharedLimitsContract, WrongAnswersElsewhereCountAfterAnExchange) {
    const GuessLimiter::Guesser guesser{UserId{1}, SaleId{7}, here};
    for (std::uint32_t i = 0; i < GuessLimiter::kMistakes.burst; ++i) {
        (i % 2 == 0 ? first : second).guesses.note_wrong(guesser, now());
        nodes->exchange();
    }
    nodes->exchange();
    EXPECT_GT(first.guesses.look(guesser, now()).count.wait.count(), 0);
    EXPECT_GT(second.guesses.look(guesser, now()).count.wait.count(), 0);
    const GuessLimiter::Guesser other{UserId{2}, SaleId{7}, here};
    EXPECT_EQ(second.guesses.look(other, now()).count.wait.count(), 0);
}

TEST_P(SharedLimitsContract, PassesOfAReturningBuyerAreCountedTogether) {
    for (std::uint32_t i = 0; i < AttemptLimiter::kAttempts; ++i)
        (i % 2 == 0 ? first : second).attempts.note(UserId{1}, SaleId{7}, now());
    nodes->exchange();
    nodes->exchange();
    first.attempts.note(UserId{1}, SaleId{7}, now());
    second.attempts.note(UserId{1}, SaleId{7}, now());
    nodes->exchange();
    EXPECT_GT(first.attempts.look(UserId{1}, SaleId{7}, now()).count.wait.count(), 0);
    EXPECT_GT(second.attempts.look(UserId{1}, SaleId{7}, now()).count.wait.count(), 0);
}

TEST_P(SharedLimitsContract, NewAccountsOfANetworkAreCountedTogether) {
    int made = 0;
    for (int i = 0; i < 100; ++i) {
        auto& node = i % 2 == 0 ? first : second;
        made += node.accounts.count(here, now()).count.wait.count() == 0;
        nodes->exchange();
    }
    EXPECT_GE(made, 50);
    EXPECT_LE(made, 52)
        << "half of a day's at once, and what was let through between two exchanges";
}

TEST_P(SharedLimitsContract, AllMessagesOfADayAreBoundedTogether) {
    for (int i = 0; i < 3; ++i) {
        first.codes.note_sent(now());
        second.codes.note_sent(now());
    }
    nodes->exchange();
    nodes->exchange();
    for (auto* const node : {&first, &second}) {
        const CodeLimiter::Ask ask{.phone = "+8613800000002", .client = here, .bearer = {}};
        EXPECT_GT(node->codes.count(ask, now()).headroom.count.wait.count(), 0);
    }
}

TEST_P(SharedLimitsContract, CodesOfANetworkAreCountedTogether) {
    int asked = 0;
    for (std::uint32_t i = 0; i < 2 * CodeLimiter::kOfHousehold; ++i) {
        auto& node = i % 2 == 0 ? first : second;
        const auto phone = "+86138" + std::to_string(10'000'000 + i);
        const CodeLimiter::Ask ask{.phone = phone, .client = here, .bearer = {}};
        asked += node.codes.count(ask, now()).headroom.count.wait.count() == 0;
        nodes->exchange();
    }
    EXPECT_GE(asked, static_cast<int>(CodeLimiter::kOfHousehold));
    EXPECT_LE(asked, static_cast<int>(CodeLimiter::kOfHousehold) + 4);
}

TEST_P(SharedLimitsContract, ARateIsTheSameHoweverManyNodesAnswer) {
    // So slow that nothing recovers while the test runs.
    const Quota quota{.interval = 60'000'000, .burst = 40};
    int served = 0;
    for (int i = 0; i < 200; ++i) {
        auto& node = i % 2 == 0 ? first : second;
        served += node.rates.count(77, quota, now()).wait.count() == 0;
        if (i % 4 == 3) nodes->exchange();
    }
    EXPECT_GE(served, 40);
    // Each of the two does not report the first quarter, and four come between two exchanges.
    EXPECT_LE(served, 40 + 2 * 10 + 4);
    const auto refused = first.rates.look(77, quota, now());
    EXPECT_GT(refused.wait.count(), 0);
    EXPECT_EQ(refused.left, 0u);
}

INSTANTIATE_TEST_SUITE_P(Nodes, SharedLimitsContract,
                         testing::Values(maker<OneProcess>("Memory"), maker<OverRedis>("Redis")),
                         [](const auto& made) { return std::string(made.param.name); });

/// While Redis is away each node goes on with its own counts.
TEST(SharedLimits, AloneWhileTheSharedCountsAreAway) {
    RedisServer server;
    auto options = server.options();
    options.patience = 2s;
    testing_support::RedisNode redis{options};
    redis::RedisCounts counts{redis.client()};
    const LimitScope scope{true};
    Node node{scope, &counts};
    const LogInLimiter::Try attempt{.whose = "13800000001",
                                    .client = Address::parse("192.0.2.7").value()};
    const auto now = [] { return std::chrono::steady_clock::now(); };
    server.kill();
    std::uint32_t tried = 0;
    for (std::uint32_t i = 0; i < 2 * LogInLimiter::kPasswords.of_one.burst; ++i) {
        if (node.log_in.count(attempt, now()).count.wait.count() > 0) continue;
        tried += run_to_end(node.log_in.confirm(attempt)).count.wait.count() == 0;
    }
    EXPECT_EQ(tried, LogInLimiter::kPasswords.of_one.burst);
    run_to_end(node.log_in.forgive(attempt));
    EXPECT_EQ(node.log_in.count(attempt, now()).count.wait.count(), 0);

    const Quota quota{.interval = 60'000'000, .burst = 4};
    int served = 0;
    for (int i = 0; i < 8; ++i) {
        served += node.rates.count(77, quota, now()).wait.count() == 0;
        run_to_end(node.exchange->exchange());
    }
    EXPECT_EQ(served, 4);
    server.start();
    EXPECT_TRUE(testing_support::eventually([&] {
        run_to_end(node.exchange->exchange());
        return server.ask({"DBSIZE"}) != "0\n";
    })) << "what was counted meanwhile is told";
}

}  // namespace
}  // namespace sluice::gate
