#include "domain/formula.hpp"

#include <vector>

namespace sluice {
namespace {

constexpr int kMostFactor = 9;  // the multiplication table, as everybody knows it
constexpr int kMostTerm = 20;

using ByAnswer = std::array<std::vector<Formula>, kFormulaAnswers>;

void add(ByAnswer& all, const Formula& formula) {
    const int value = formula.value();
    if (value >= 0 && value < kFormulaAnswers)
        all[static_cast<std::size_t>(value)].push_back(formula);
}

/// Every possible formula, by its result.
const ByAnswer& formulas() {
    static const ByAnswer all = [] {
        ByAnswer found;
        // From 2, because multiplying by one is too easy.
        for (int a = 2; a <= kMostFactor; ++a)
            for (int b = 2; b <= kMostFactor; ++b)
                for (int term = 1; term <= kMostTerm; ++term)
                    for (const char sign : {'+', '-'}) {
                        add(found, {.numbers = {a, b, term}, .operators = {'*', sign}});
                        add(found, {.numbers = {term, a, b}, .operators = {sign, '*'}});
                    }
        return found;
    }();
    return all;
}

}  // namespace

int Formula::value() const {
    const auto [a, b, c] = numbers;
    if (operators[0] == '*') return operators[1] == '+' ? a * b + c : a * b - c;
    return operators[0] == '+' ? a + b * c : a - b * c;
}

std::string Formula::text() const {
    return std::to_string(numbers[0]) + operators[0] + std::to_string(numbers[1]) + operators[1] +
           std::to_string(numbers[2]);
}

Formula pick_formula(std::uint64_t chance) {
    // The answer is drawn first: drawing the numbers would make some answers far likelier than
    // others.
    const auto& fitting = formulas()[chance % kFormulaAnswers];
    return fitting[chance / kFormulaAnswers % fitting.size()];
}

}  // namespace sluice
