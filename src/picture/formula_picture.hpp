#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice {

inline constexpr int kPictureWidth = 320;
inline constexpr int kPictureHeight = 100;

/// A PNG of the text (digits and + - *) that people can read and that looks different for each
/// seed: every symbol has its own form, size, lean and bends and touches its neighbours, and ground
/// and ink are exchanged at three wavy borders. The ground is part of the picture, so it can be
/// shown on a dark page. Takes less than a millisecond; safe from any thread.
///
/// tests/integration/test_picture_reader.py tests programs that try to read it.
std::string draw_formula(std::string_view text, std::uint64_t seed);

}  // namespace sluice
