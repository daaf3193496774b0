// The places of a sale and its challenges, kept by one process and shared by two nodes.

#include <memory>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "adapters/redis/redis_entry_desk.hpp"
#include "app/passes/local_entry_desk.hpp"
#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/pass_keys.hpp"
#include "support/redis_node.hpp"
#include "support/redis_server.hpp"
#include "support/seeded_random.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using Issued = EntryDesk::Issued;
using Full = EntryDesk::Full;
using Again = EntryDesk::Again;
using Wrong = EntryDesk::Wrong;
using testing_support::ManualClock;
using testing_support::RedisServer;

constexpr SaleId kSale{7};

struct Tools {
    ManualClock clock;
    testing_support::SeededRandom random{1};
    const PassKeyRing pass_keys{{testing_support::pass_key(1)}};
    const Passes passes{pass_keys};
};

/// Two clients of the same desk.
class TwoDesks {
  public:
    virtual ~TwoDesks() = default;
    virtual EntryDesk& first() = 0;
    virtual EntryDesk& second() = 0;
    /// Time passes, for the shop and for the server that keeps the places.
    virtual void pass(std::chrono::milliseconds time) = 0;
    /// Waits until both know what was noted.
    virtual void meet() {}
};

class OneProcess final : public TwoDesks {
  public:
    explicit OneProcess(Tools& tools)
        : clock_(tools.clock), desk_(tools.passes, tools.random, tools.clock) {}
    EntryDesk& first() override { return desk_; }
    EntryDesk& second() override { return desk_; }
    void pass(std::chrono::milliseconds time) override { clock_.move(time); }

  private:
    ManualClock& clock_;
    LocalEntryDesk desk_;
};

/// Moves everything that Redis keeps of the sale into the past.
constexpr auto kAge = R"(
local base, time = string.sub(KEYS[1], 1, -7), tonumber(ARGV[1])
local text = function(number) return string.format('%.0f', number) end
for _, name in ipairs({'places', 'waiting', 'lapsed'}) do
    local all = redis.call('ZRANGE', base .. name, 0, -1, 'WITHSCORES')
    for i = 1, #all, 2 do redis.call('ZADD', base .. name, text(tonumber(all[i + 1]) - time), all[i]) end
end
local lapses = redis.call('HGETALL', base .. 'lapse')
for i = 1, #lapses, 2 do
    local rest, till = string.match(lapses[i + 1], '^(.*) (%d+)$')
    redis.call('HSET', base .. 'lapse', lapses[i], rest .. ' ' .. text(tonumber(till) - time))
end
for _, key in ipairs(redis.call('KEYS', base .. '*:*')) do
    redis.call('PEXPIRE', key, text(redis.call('PTTL', key) - time))
end
return 1
)";

class TwoNodes final : public TwoDesks {
  public:
    explicit TwoNodes(Tools& tools)
        : clock_(tools.clock), first_(options_, tools), second_(options_, tools) {}
    EntryDesk& first() override { return first_.desk; }
    EntryDesk& second() override { return second_.desk; }
    void pass(std::chrono::milliseconds time) override {
        clock_.move(time);
        first_.redis.ask({"EVAL", kAge, "1", redis::Keys(options_.prefix).places(kSale),
                          std::to_string(time.count())});
    }
    void meet() override {
        run_to_end(first_.desk.tell_claims());
        run_to_end(second_.desk.tell_claims());
    }

  private:
    struct Node {
        Node(const redis::Options& options, Tools& tools)
            : redis(options), desk(redis.client(), tools.passes, tools.random, tools.clock) {}

        testing_support::RedisNode redis;
        redis::RedisEntryDesk desk;
    };
    ManualClock& clock_;
    const redis::Options options_ = RedisServer::shared().options();
    Node first_, second_;
};

struct DeskMaker {
    const char* name;
    std::unique_ptr<TwoDesks> (*make)(Tools&);
};

class EntryDeskContract : public testing::TestWithParam<DeskMaker> {
  protected:
    static EntryDesk::Request request(std::int64_t buyer, std::int64_t most,
                                      std::optional<ShownChallenge> challenge = {}) {
        return {.entrant = {UserId{buyer}, kSale},
                .most_places = most,
                .only_again = false,
                .challenge = challenge};
    }
    static EntryDesk::Answer enter(EntryDesk& desk, const EntryDesk::Request& request) {
        if (auto answer = desk.enter_at_once(request)) return std::move(*answer);
        return run_to_end(desk.enter(request));
    }
    static EntryDesk::Answer take(EntryDesk& desk, std::int64_t buyer, std::int64_t most) {
        return enter(desk, request(buyer, most));
    }
    static std::optional<Issued> again(EntryDesk& desk, std::int64_t buyer) {
        auto asked = request(buyer, 0);
        asked.only_again = true;
        return std::get<Again>(enter(desk, asked)).issued;
    }
    static bool is_issued(const EntryDesk::Answer& answer) {
        return std::holds_alternative<Issued>(answer);
    }
    static bool is_full(const EntryDesk::Answer& answer) {
        return std::holds_alternative<Full>(answer);
    }
    static bool is_wrong(const EntryDesk::Answer& answer) {
        return std::holds_alternative<Wrong>(answer);
    }
    void sweep(EntryDesk& desk, bool is_selling = true) {
        run_to_end(desk.sweep([=](SaleId) { return is_selling; }));
    }
    GivenFormula give(EntryDesk& desk, std::int64_t buyer, unsigned char number) {
        const GivenFormula formula{
            .mark = Mark{number}, .answer = 10 + number, .expires_at = tools.clock.now() + 60s};
        run_to_end(desk.keep({UserId{buyer}, kSale}, formula));
        return formula;
    }
    static ShownChallenge answer_to(const GivenFormula& formula) {
        return ShownFormula{.mark = formula.mark, .number = formula.answer};
    }
    ShownWork work(unsigned char number) const {
        return {.mark = Mark{number}, .expires_at = tools.clock.now() + 300s, .is_right = true};
    }

    Tools tools;
    const std::unique_ptr<TwoDesks> desks = GetParam().make(tools);
    EntryDesk& first = desks->first();
    EntryDesk& second = desks->second();
};

TEST_P(EntryDeskContract, ThePlacesAreBoundedOverAllNodes) {
    EXPECT_TRUE(is_issued(take(first, 1, 2)));
    EXPECT_TRUE(is_issued(take(second, 2, 2)));
    for (auto* const desk : {&first, &second}) {
        const auto refused = take(*desk, 3, 2);
        ASSERT_TRUE(is_full(refused));
        EXPECT_GE(std::get<Full>(refused).retry_after, EntryDesk::kShortestRetry);
        EXPECT_LT(std::get<Full>(refused).retry_after, 2 * EntryDesk::kShortestRetry);
        EXPECT_EQ(std::get<Full>(refused).why, Full::Why::taken);
    }
    sweep(first);
    EXPECT_TRUE(first.has_places());
    EXPECT_EQ(first.waiting(), 1u);
}

TEST_P(EntryDeskContract, ABuyerHasOnePlaceWhereverTheyAsk) {
    const auto one = std::get<Issued>(take(first, 1, 1));
    desks->pass(30s);
    const auto two = std::get<Issued>(take(second, 1, 1));
    EXPECT_NE(one.pass, two.pass);
    EXPECT_EQ(one.expires_at, two.expires_at) << "it lasts no longer for being asked for again";
    for (const auto& issued : {one, two}) {
        const auto pass = tools.passes.read(issued.pass, UserId{1}, kSale);
        ASSERT_TRUE(pass);
        EXPECT_EQ(pass->expires_at, issued.expires_at);
    }
    EXPECT_EQ(one.expires_at, tools.clock.now() + 30s);
}

TEST_P(EntryDeskContract, WhoLostTheReplyGetsTheSamePassAnywhere) {
    EXPECT_FALSE(again(second, 1));
    const auto issued = std::get<Issued>(take(first, 1, 1));
    ASSERT_TRUE(again(second, 1));
    EXPECT_EQ(again(second, 1)->pass, issued.pass);
    EXPECT_EQ(again(second, 1)->expires_at, issued.expires_at);
    first.note_claim(UserId{1}, kSale, true);
    desks->meet();
    EXPECT_FALSE(again(second, 1)) << "it has bought";
}

TEST_P(EntryDeskContract, APlaceThatHasClaimedIsFreeForOthers) {
    take(first, 1, 1);
    ASSERT_TRUE(is_full(take(second, 2, 1)));
    first.note_claim(UserId{1}, kSale, false);
    desks->meet();
    EXPECT_TRUE(is_issued(take(second, 2, 1)));
    sweep(first);
    EXPECT_EQ(first.lapses(), 0u);
}

TEST_P(EntryDeskContract, ABuyerWhoMayClaimMoreKeepsTheirPlace) {
    take(first, 1, 1);
    first.note_claim(UserId{1}, kSale, true);
    desks->meet();
    EXPECT_TRUE(is_full(take(second, 2, 1)));
    desks->pass(59s);
    const auto more = take(second, 1, 1);
    ASSERT_TRUE(is_issued(more));
    EXPECT_EQ(std::get<Issued>(more).expires_at, tools.clock.now() + EntryDesk::kLifetime)
        << "after a purchase it lasts for a full lifetime again";
}

TEST_P(EntryDeskContract, APlaceThatLapsesCostsAWaitThatGrows) {
    take(first, 1, 1);
    desks->pass(EntryDesk::kLifetime);
    const auto lapsed = take(second, 1, 1);
    ASSERT_TRUE(is_full(lapsed));
    EXPECT_EQ(std::get<Full>(lapsed).why, Full::Why::lapsed);
    EXPECT_GT(std::get<Full>(lapsed).retry_after, 50s);
    EXPECT_LE(std::get<Full>(lapsed).retry_after, EntryDesk::kFirstWait);
    EXPECT_EQ(second.lapses(), 1u);
    EXPECT_TRUE(is_issued(take(first, 2, 1))) << "the place is free for others";
    first.note_claim(UserId{2}, kSale, false);
    desks->meet();
    desks->pass(EntryDesk::kFirstWait);
    EXPECT_TRUE(is_issued(take(second, 1, 1)));
    desks->pass(EntryDesk::kLifetime);
    const auto twice = take(first, 1, 1);
    ASSERT_TRUE(is_full(twice));
    EXPECT_GT(std::get<Full>(twice).retry_after, EntryDesk::kFirstWait);
    EXPECT_LE(std::get<Full>(twice).retry_after, 2 * EntryDesk::kFirstWait);
    desks->pass(2 * EntryDesk::kFirstWait + EntryDesk::kForgiven);
    EXPECT_TRUE(is_issued(take(first, 1, 1)));
    desks->pass(EntryDesk::kLifetime);
    EXPECT_LE(std::get<Full>(take(first, 1, 1)).retry_after, EntryDesk::kFirstWait) << "forgiven";
}

TEST_P(EntryDeskContract, WhoMissesADrawnPlaceWaitsOnlyFromTheSecondTimeOn) {
    const auto miss = [this] {
        take(first, 1, 1);
        ASSERT_TRUE(is_full(take(second, 2, 1)));
        first.note_claim(UserId{1}, kSale, false);
        desks->meet();
        // Whoever asks makes the desk draw: buyer 3 asks until it falls on buyer 2.
        while (is_issued(take(second, 3, 1))) {
            second.note_claim(UserId{3}, kSale, false);
            desks->meet();
        }
        desks->pass(EntryDesk::awaited_for(2 * EntryDesk::kShortestRetry));
        sweep(first);
    };
    miss();
    EXPECT_TRUE(is_issued(take(second, 2, 1))) << "no pass of theirs has lapsed";
    for (int times = 2; times < 4; ++times) {
        second.note_claim(UserId{2}, kSale, false);
        desks->meet();
        miss();
        const auto refused = take(first, 2, 1);
        ASSERT_TRUE(is_full(refused)) << times;
        EXPECT_EQ(std::get<Full>(refused).why, Full::Why::missed);
        EXPECT_LE(std::get<Full>(refused).retry_after, EntryDesk::kMissedWait);
        desks->pass(std::get<Full>(refused).retry_after);
        EXPECT_TRUE(is_issued(take(first, 2, 1)));
    }
    EXPECT_EQ(first.lapses() + second.lapses(), 0u);
    desks->pass(EntryDesk::kLifetime);
    const auto lapsed = take(second, 2, 1);
    ASSERT_TRUE(is_full(lapsed));
    EXPECT_EQ(std::get<Full>(lapsed).why, Full::Why::lapsed);
    EXPECT_GT(std::get<Full>(lapsed).retry_after, EntryDesk::kMissedWait);
    EXPECT_LE(std::get<Full>(lapsed).retry_after, EntryDesk::kFirstWait);
    EXPECT_EQ(second.lapses(), 1u);
}

TEST_P(EntryDeskContract, WhoCouldNotBuyHasNotLetItLapse) {
    take(first, 1, 1);
    desks->pass(EntryDesk::kLifetime);
    sweep(first, false);
    EXPECT_FALSE(first.has_places());
    EXPECT_TRUE(is_issued(take(second, 1, 1)));
    EXPECT_EQ(first.lapses() + second.lapses(), 0u);
    desks->pass(EntryDesk::kLifetime);
    sweep(second, true);
    EXPECT_EQ(second.lapses(), 1u);
}

TEST_P(EntryDeskContract, FreePlacesGoByLotToThoseWhoWait) {
    constexpr std::int64_t kPeople = 40;
    std::set<std::int64_t> ever;
    for (int round = 0; round < 6; ++round) {
        const std::int64_t base = 1 + round * 100;
        take(first, base, 1);
        for (std::int64_t i = 1; i <= kPeople; ++i)
            ASSERT_TRUE(is_full(take(i % 2 == 0 ? first : second, base + i, 1)));
        first.note_claim(UserId{base}, kSale, false);
        desks->meet();
        // The first who asks is one of forty: a drawn place is kept for the buyer for whom it was
        // drawn.
        std::int64_t winner = 0;
        for (std::int64_t i = 1; i <= kPeople; ++i)
            if (is_issued(take(i % 2 == 0 ? second : first, base + i, 1))) {
                EXPECT_EQ(winner, 0) << "there is one place";
                winner = i;
            }
        ASSERT_NE(winner, 0);
        ever.insert(winner);
        first.note_claim(UserId{base + winner}, kSale, false);
        desks->meet();
        desks->pass(2min);
        sweep(first, false);
    }
    EXPECT_GT(ever.size(), 2u) << "six draws of forty do not all fall on the same two";
}

TEST_P(EntryDeskContract, AGateThatLetsNobodyInKeepsNobodyWaiting) {
    EXPECT_TRUE(is_full(take(first, 1, 0)));
    sweep(first);
    EXPECT_EQ(first.waiting(), 0u);
}

TEST_P(EntryDeskContract, AFormulaGivenHereIsAnsweredThereAndSpentOnce) {
    const auto formula = give(first, 1, 1);
    const auto issued = enter(second, request(1, 5, answer_to(formula)));
    ASSERT_TRUE(is_issued(issued));
    const auto repeated = enter(first, request(1, 5, answer_to(formula)));
    ASSERT_TRUE(std::holds_alternative<Again>(repeated));
    EXPECT_EQ(std::get<Again>(repeated).issued->pass, std::get<Issued>(issued).pass);
    first.note_claim(UserId{1}, kSale, false);
    desks->meet();
    const auto late = enter(second, request(1, 5, answer_to(formula)));
    ASSERT_TRUE(std::holds_alternative<Again>(late));
    EXPECT_FALSE(std::get<Again>(late).issued) << "it was good for that place and no other";
}

TEST_P(EntryDeskContract, AWrongAnswerSpendsTheFormulaEverywhere) {
    const auto formula = give(first, 1, 1);
    const ShownFormula wrong{.mark = formula.mark, .number = formula.answer + 1};
    EXPECT_TRUE(is_wrong(enter(second, request(1, 5, wrong))));
    EXPECT_TRUE(is_wrong(enter(first, request(1, 5, answer_to(formula)))));
    const auto another = give(second, 1, 2);
    const ShownFormula nonsense{.mark = another.mark, .number = std::nullopt};
    EXPECT_TRUE(is_wrong(enter(first, request(1, 5, nonsense))));
    EXPECT_TRUE(is_wrong(enter(second, request(1, 5, answer_to(another)))));
}

TEST_P(EntryDeskContract, AFormulaIsForOneBuyerAndTheNextReplacesIt) {
    const auto old = give(first, 1, 1);
    EXPECT_TRUE(is_wrong(enter(second, request(2, 5, answer_to(old)))));
    const auto fresh = give(second, 1, 2);
    EXPECT_TRUE(is_wrong(enter(first, request(1, 5, answer_to(old)))));
    EXPECT_TRUE(is_issued(enter(first, request(1, 5, answer_to(fresh)))));
    const auto late = give(first, 3, 3);
    desks->pass(60s);
    EXPECT_TRUE(is_wrong(enter(second, request(3, 5, answer_to(late)))));
}

TEST_P(EntryDeskContract, AFullGateDoesNotSpendTheChallenge) {
    take(first, 9, 1);
    const auto formula = give(first, 1, 1);
    const auto done = work(2);
    EXPECT_TRUE(is_full(enter(first, request(1, 1, answer_to(formula)))));
    EXPECT_TRUE(is_full(enter(second, request(2, 1, done))));
    EXPECT_TRUE(is_issued(enter(second, request(1, 5, answer_to(formula)))));
    EXPECT_TRUE(is_issued(enter(first, request(2, 5, done))));
}

TEST_P(EntryDeskContract, AFormulaThatWasSolvedLivesAsLongAsItsBuyerIsAwaited) {
    take(first, 9, 1);
    const auto formula = give(first, 1, 1);
    for (int i = 0; i < 30; ++i) {
        const auto refused = enter(i % 2 == 0 ? first : second, request(1, 1, answer_to(formula)));
        ASSERT_TRUE(is_full(refused)) << i;
        desks->pass(std::get<Full>(refused).retry_after);
        // Whoever buys again and again keeps the place.
        first.note_claim(UserId{9}, kSale, true);
        desks->meet();
        ASSERT_TRUE(is_issued(take(first, 9, 1)));
    }
    EXPECT_TRUE(is_issued(enter(second, request(1, 5, answer_to(formula)))));
    const auto left = give(first, 2, 2);
    ASSERT_TRUE(is_full(enter(first, request(2, 1, answer_to(left)))));
    desks->pass(60s);
    EXPECT_TRUE(is_wrong(enter(second, request(2, 5, answer_to(left))))) << "they stayed away";
}

TEST_P(EntryDeskContract, AProofOfWorkIsSpentOnceOverAllNodes) {
    const auto done = work(1);
    const auto issued = enter(first, request(1, 5, done));
    ASSERT_TRUE(is_issued(issued));
    const auto repeated = enter(second, request(1, 5, done));
    ASSERT_TRUE(std::holds_alternative<Again>(repeated));
    EXPECT_EQ(std::get<Again>(repeated).issued->pass, std::get<Issued>(issued).pass);
    EXPECT_TRUE(is_issued(enter(second, request(2, 5, work(1))))) << "each buyer has their own";
}

TEST_P(EntryDeskContract, WorkGivenOutEarlierIsSpentWithALaterOne) {
    const auto earlier = work(1);
    desks->pass(1ms);
    const auto later = work(2);
    EXPECT_TRUE(is_issued(enter(first, request(1, 5, later))));
    EXPECT_TRUE(is_wrong(enter(second, request(1, 5, earlier))));
    desks->pass(1ms);
    auto wrong = work(3);
    wrong.is_right = false;
    EXPECT_TRUE(is_wrong(enter(second, request(1, 5, wrong))));
    wrong.is_right = true;
    EXPECT_TRUE(is_wrong(enter(first, request(1, 5, wrong)))) << "a wrong answer spends";
}

template <class Desks>
DeskMaker maker(const char* name) {
    return {name, [](Tools& tools) -> std::unique_ptr<TwoDesks> {
                return std::make_unique<Desks>(tools);
            }};
}

INSTANTIATE_TEST_SUITE_P(Desks, EntryDeskContract,
                         testing::Values(maker<OneProcess>("Memory"), maker<TwoNodes>("Redis")),
                         [](const auto& made) { return std::string(made.param.name); });

}  // namespace
}  // namespace sluice
