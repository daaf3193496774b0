#pragma once

#include <span>
#include <string_view>

namespace sluice {

/// Words that many people make passwords of, in lower case, without digits and signs: what English
/// and Chinese speakers (in pinyin) think of first. Our own choice: things that are loved, sworn
/// by, played and prayed to, first names, surnames, cities, brands, and what an account is called.
std::span<const std::string_view> common_words();

/// Rows of neighbours that people type along, each read both ways: of the alphabet, of numbers, and
/// of the keyboard straight, down and in zigzag.
std::span<const std::string_view> common_rows();

}  // namespace sluice
