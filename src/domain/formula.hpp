#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace sluice {

/// A calculation for a person: three numbers, of which two are multiplied, so that the order of the
/// operations counts. No step of it goes below zero when done as taught at school.
struct Formula {
    std::array<int, 3> numbers{};
    std::array<char, 2> operators{};  // each of + - *

    /// Multiplication first, then from left to right.
    int value() const;

    /// In ASCII, such as 12+4*6.
    std::string text() const;
};

/// Answers are 0 to 59, and each is equally likely: a guess is right once in 60.
inline constexpr int kFormulaAnswers = 60;

/// `chance` is 64 random bits.
Formula pick_formula(std::uint64_t chance);

}  // namespace sluice
