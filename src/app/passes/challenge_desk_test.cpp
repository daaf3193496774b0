#include "app/passes/challenge_desk.hpp"

#include <gtest/gtest.h>

#include "app/passes/challenge_book.hpp"
#include "base/outage.hpp"
#include "base/run_to_end.hpp"
#include "domain/formula.hpp"
#include "support/manual_clock.hpp"
#include "support/seeded_random.hpp"
#include "support/test_loop.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using Verdict = ChallengeBook::Verdict;

constexpr Entrant kMe{UserId{5}, SaleId{7}};
constexpr Entrant kOther{UserId{6}, SaleId{7}};
constexpr Entrant kElsewhere{UserId{5}, SaleId{8}};

/// Remembers the last number drawn for a formula, so that the test knows the answer.
class WatchedRandom final : public Random {
  public:
    void fill(std::span<unsigned char> out) override {
        random_.fill(out);
        if (out.size() == sizeof(std::uint64_t)) {
            std::uint64_t number = 0;
            std::copy(out.begin(), out.end(), reinterpret_cast<unsigned char*>(&number));
            numbers.push_back(number);
        }
    }
    std::vector<std::uint64_t> numbers;

  private:
    testing_support::SeededRandom random_{1};
};

class ChallengeDeskTest : public testing::Test {
  protected:
    struct Offered {
        std::string id;
        std::string answer;
    };
    ChallengeDesk::FormulaOffer offer_formula(const Entrant& entrant) {
        auto made = run_to_end(desk.make_formula());
        book.keep(entrant, made.given, clock.now());
        return ChallengeDesk::offer_of(std::move(made));
    }
    Offered formula(const Entrant& entrant = kMe) {
        random.numbers.clear();
        const auto offer = offer_formula(entrant);
        EXPECT_TRUE(offer.png.starts_with("\x89PNG"));
        EXPECT_EQ(offer.expires_at, clock.now() + 60s);
        return {offer.id, std::to_string(pick_formula(random.numbers.at(0)).value())};
    }
    Offered work(const Entrant& entrant = kMe) {
        const auto offer = desk.offer_work(entrant, 8);
        EXPECT_EQ(offer.expires_at, clock.now() + 300s);
        return {offer.id, solve(offer.id, offer.bits)};
    }
    static std::string solve(const std::string& id, unsigned bits) {
        for (int i = 0;; ++i)
            if (proves_work(id, std::to_string(i), bits)) return std::to_string(i);
    }
    static std::string fail(const std::string& id, unsigned bits) {
        for (int i = 0;; ++i)
            if (!proves_work(id, std::to_string(i), bits)) return std::to_string(i);
    }
    Verdict redeem(Challenge kind, const Offered& offered, const Entrant& entrant = kMe) {
        const auto shown = desk.read(kind, entrant, offered.id, offered.answer);
        if (!shown) return Verdict::failed;
        return book.spend(entrant, *shown, clock.now(), [this] {
            if (gate_open) ++places;
            return ChallengeBook::Tried{.placed = gate_open, .awaited_until = clock.now() + 10s};
        });
    }
    static Offered with_answer(Offered offered, std::string answer) {
        offered.answer = std::move(answer);
        return offered;
    }

    WatchedRandom random;
    testing_support::ManualClock clock;
    double load = 0;
    ChallengeDesk desk{WorkChallenges::Key{1}, [this] { return load; }, random, clock, {}};
    ChallengeBook book{3};
    bool gate_open = true;
    int places = 0;
};

TEST_F(ChallengeDeskTest, ARightAnswerTakesOnePlaceHoweverOftenItIsSent) {
    for (const auto kind : {Challenge::math, Challenge::pow}) {
        places = 0;
        const auto mine = kind == Challenge::math ? formula() : work();
        EXPECT_EQ(redeem(kind, mine), Verdict::solved);
        EXPECT_EQ(redeem(kind, mine), Verdict::solved_before);
        EXPECT_EQ(redeem(kind, mine), Verdict::solved_before);
        EXPECT_EQ(places, 1);
    }
}

TEST_F(ChallengeDeskTest, AWrongAnswerSpends) {
    const auto sum = formula();
    const auto wrong = sum.answer == "7" ? "8" : "7";
    EXPECT_EQ(redeem(Challenge::math, with_answer(sum, wrong)), Verdict::failed);
    EXPECT_EQ(redeem(Challenge::math, sum), Verdict::failed) << "the right one comes too late";
    const auto task = work();
    EXPECT_EQ(redeem(Challenge::pow, with_answer(task, fail(task.id, 8))), Verdict::failed);
    EXPECT_EQ(redeem(Challenge::pow, task), Verdict::failed);
    EXPECT_EQ(places, 0);
}

TEST_F(ChallengeDeskTest, AClosedGateDoesNotSpend) {
    for (const auto kind : {Challenge::math, Challenge::pow}) {
        places = 0;
        gate_open = false;
        const auto mine = kind == Challenge::math ? formula() : work();
        EXPECT_EQ(redeem(kind, mine), Verdict::no_place);
        EXPECT_EQ(redeem(kind, mine), Verdict::no_place);
        gate_open = true;
        EXPECT_EQ(redeem(kind, mine), Verdict::solved);
        EXPECT_EQ(places, 1);
    }
}

TEST_F(ChallengeDeskTest, AFormulaLivesAsLongAsItsBuyerIsAwaited) {
    gate_open = false;
    const auto mine = formula();
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(redeem(Challenge::math, mine), Verdict::no_place) << i;
        clock.move(10s - 1ms);
        book.sweep(clock.now());
    }
    gate_open = true;
    EXPECT_EQ(redeem(Challenge::math, mine), Verdict::solved);
    EXPECT_EQ(redeem(Challenge::math, mine), Verdict::solved_before) << "it is one place";
    gate_open = false;
    const auto late = formula();
    clock.move(60s - 1ms);
    EXPECT_EQ(redeem(Challenge::math, late), Verdict::no_place);
    clock.move(10s);
    gate_open = true;
    EXPECT_EQ(redeem(Challenge::math, late), Verdict::failed) << "who stays away is not awaited";
    EXPECT_EQ(places, 1);
}

TEST_F(ChallengeDeskTest, NobodyElseCanUseOrSpendIt) {
    for (const auto kind : {Challenge::math, Challenge::pow}) {
        const auto mine = kind == Challenge::math ? formula() : work();
        EXPECT_EQ(redeem(kind, mine, kOther), Verdict::failed);
        EXPECT_EQ(redeem(kind, mine, kElsewhere), Verdict::failed);
        EXPECT_EQ(redeem(kind, mine), Verdict::solved);
        EXPECT_EQ(redeem(kind, mine, kOther), Verdict::failed);
    }
}

TEST_F(ChallengeDeskTest, AMadeUpIdSpendsNothing) {
    const auto sum = formula();
    for (const auto& id : {std::string(), std::string(22, 'A'), std::string(44, 'A'), sum.id + "A"})
        for (const auto kind : {Challenge::math, Challenge::pow})
            EXPECT_EQ(redeem(kind, {id, sum.answer}), Verdict::failed);
    EXPECT_EQ(redeem(Challenge::math, sum), Verdict::solved);
}

TEST_F(ChallengeDeskTest, AnIdTellsItsKind) {
    EXPECT_EQ(ChallengeDesk::kind_of(formula().id), Challenge::math);
    EXPECT_EQ(ChallengeDesk::kind_of(work().id), Challenge::pow);
    EXPECT_EQ(ChallengeDesk::kind_of(""), Challenge::math);
}

TEST_F(ChallengeDeskTest, EachOfTwoKindsTakesItsOwnPlaceOnce) {
    const auto sum = formula();
    const auto task = work();
    EXPECT_EQ(redeem(Challenge::math, sum), Verdict::solved);
    EXPECT_EQ(redeem(Challenge::pow, task), Verdict::solved);
    EXPECT_EQ(redeem(Challenge::math, sum), Verdict::solved_before);
    EXPECT_EQ(redeem(Challenge::pow, task), Verdict::solved_before);
    EXPECT_EQ(places, 2);
}

TEST_F(ChallengeDeskTest, ExpiresAtTheInstant) {
    auto sum = formula();
    auto task = work();
    clock.move(60s - 1ms);
    EXPECT_EQ(redeem(Challenge::math, sum), Verdict::solved);
    clock.move(1ms);
    EXPECT_EQ(redeem(Challenge::math, sum), Verdict::failed);
    clock.move(240s - 1ms);
    EXPECT_EQ(redeem(Challenge::pow, task), Verdict::solved);
    clock.move(1ms);
    EXPECT_EQ(redeem(Challenge::pow, task), Verdict::failed);
}

TEST_F(ChallengeDeskTest, ANewFormulaReplacesTheOldOne) {
    const auto old = formula();
    const auto fresh = formula();
    EXPECT_EQ(redeem(Challenge::math, old), Verdict::failed);
    EXPECT_EQ(redeem(Challenge::math, fresh), Verdict::solved);
}

TEST_F(ChallengeDeskTest, WorkGivenOutEarlierIsSpentWithALaterOne) {
    const auto first = work();
    const auto twin = work();
    clock.move(1ms);
    const auto later = work();
    EXPECT_EQ(redeem(Challenge::pow, later), Verdict::solved);
    EXPECT_EQ(redeem(Challenge::pow, first), Verdict::failed);
    EXPECT_EQ(redeem(Challenge::pow, twin), Verdict::failed);
    EXPECT_EQ(redeem(Challenge::pow, later), Verdict::solved_before);
    clock.move(1ms);
    EXPECT_EQ(redeem(Challenge::pow, work()), Verdict::solved);
    EXPECT_EQ(places, 2);
}

TEST_F(ChallengeDeskTest, SpacesAroundASumDoNotMatter) {
    auto sum = formula();
    sum.answer = " \t" + sum.answer + "\r\n";
    EXPECT_EQ(redeem(Challenge::math, sum), Verdict::solved);
    for (const auto* nonsense : {"", " ", "seven", "1e1", "99999999999999999999", "-1", "7 7"})
        EXPECT_EQ(redeem(Challenge::math, with_answer(formula(), nonsense)), Verdict::failed)
            << nonsense;
}

TEST_F(ChallengeDeskTest, WhatItCannotRememberItDoesNotAccept) {
    for (std::int64_t buyer = 10; buyer < 13; ++buyer) {
        const Entrant entrant{UserId{buyer}, SaleId{7}};
        EXPECT_EQ(redeem(Challenge::pow, work(entrant), entrant), Verdict::solved);
        formula(entrant);
    }
    const auto task = work();
    EXPECT_THROW(redeem(Challenge::pow, task), Overload);
    EXPECT_EQ(places, 3);
    EXPECT_THROW(offer_formula(kMe), Overload);
    EXPECT_NO_THROW(formula({UserId{10}, SaleId{7}})) << "in place of their own";
    clock.move(299s);
    EXPECT_THROW(redeem(Challenge::pow, task), Overload) << "nothing is forgotten too early";
    clock.move(1s);
    EXPECT_EQ(redeem(Challenge::pow, work()), Verdict::solved);
}

TEST_F(ChallengeDeskTest, AnEarlierProcessDoesNotCount) {
    ChallengeDesk earlier{WorkChallenges::Key{2}, [] { return 0.0; }, random, clock, {}};
    const auto offer = earlier.offer_work(kMe, 8);
    EXPECT_EQ(redeem(Challenge::pow, {offer.id, solve(offer.id, offer.bits)}), Verdict::failed);
}

TEST_F(ChallengeDeskTest, WorkGrowsWithTheLoad) {
    const auto bits = [this](std::optional<std::int64_t> of_sale, double at) {
        load = at;
        return desk.offer_work(kMe, of_sale).bits;
    };
    EXPECT_EQ(bits(std::nullopt, 0), 19u);
    EXPECT_EQ(bits(10, 0), 10u);
    EXPECT_EQ(bits(10, 0.5), 12u);
    EXPECT_EQ(bits(10, 1), 14u);
    EXPECT_EQ(bits(10, 7), 14u) << "a load is at most 1";
    EXPECT_EQ(bits(10, -1), 10u);
    EXPECT_EQ(bits(28, 1), 28u) << "never more than anybody can do";
}

TEST_F(ChallengeDeskTest, AFloodOfFormulasIsTurnedAway) {
    ChallengeDesk small{WorkChallenges::Key{1},
                        [] { return 0.0; },
                        random,
                        clock,
                        {.draw_threads = 1, .draw_backlog = 1}};
    testing_support::TestLoop loop;
    int drawn = 0, refused = 0;
    for (int i = 0; i < 50; ++i)
        loop.spawn(small.make_formula(),
                   [&](std::exception_ptr error, const auto&) { ++(error ? refused : drawn); });
    loop.run();
    EXPECT_EQ(drawn + refused, 50);
    EXPECT_GE(drawn, 1);
    EXPECT_GE(refused, 40);
}

}  // namespace
}  // namespace sluice
