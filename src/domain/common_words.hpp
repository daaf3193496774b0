#pragma once

#include <span>
#include <string_view>

namespace sluice {

/// Words that many people make passwords of, in lower case, without digits and signs: those that
/// English and Chinese speakers (in pinyin) think of first. Our own choice: words for love, oaths,
/// games and prayer, first names, surnames, cities, brands, and names of accounts.
std::span<const std::string_view> common_words();

/// Runs of neighbours that people type, each read in both directions: in the alphabet, in numbers,
/// and on the keyboard straight, down and in zigzag.
std::span<const std::string_view> common_rows();

}  // namespace sluice
