#include "domain/formula.hpp"

#include <set>
#include <string_view>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace sluice {
namespace {

/// Calculates the text as a person does: products first, then sums from left to right. Sets `below`
/// when a step goes below zero, which people do not expect.
int evaluate(std::string_view text, bool& below) {
    std::size_t at = 0;
    const auto number = [&] {
        int value = 0;
        while (at < text.size() && text[at] >= '0' && text[at] <= '9')
            value = value * 10 + (text[at++] - '0');
        return value;
    };
    const auto product = [&] {
        int value = number();
        while (at < text.size() && text[at] == '*') {
            ++at;
            value *= number();
        }
        return value;
    };
    int value = product();
    while (at < text.size()) {
        const char sign = text[at++];
        const int term = product();
        value = sign == '+' ? value + term : value - term;
        below = below || value < 0;
    }
    return value;
}

TEST(Formula, ComesToWhatAPersonMakesOfIt) {
    EXPECT_EQ((Formula{.numbers = {7, 3, 2}, .operators = {'+', '*'}}.value()), 13);
    const bool holds = rc::check([](std::uint64_t chance) {
        const auto formula = pick_formula(chance);
        bool below = false;
        RC_ASSERT(evaluate(formula.text(), below) == formula.value());
        RC_ASSERT(!below);
        RC_ASSERT(formula.value() >= 0);
        RC_ASSERT(formula.value() < kFormulaAnswers);
    });
    EXPECT_TRUE(holds);
}

TEST(Formula, EachAnswerIsAsLikelyAsAnyOther) {
    for (std::uint64_t chance = 0; chance < kFormulaAnswers; ++chance)
        EXPECT_EQ(pick_formula(chance).value(), static_cast<int>(chance));
}

TEST(Formula, AnAnswerDoesNotGiveItsFormulaAway) {
    for (std::uint64_t answer = 0; answer < kFormulaAnswers; ++answer) {
        std::set<std::string> texts;
        for (std::uint64_t i = 0; i < 1'000; ++i)
            texts.insert(pick_formula(answer + i * kFormulaAnswers).text());
        EXPECT_GE(texts.size(), 20u) << answer;
    }
}

}  // namespace
}  // namespace sluice
