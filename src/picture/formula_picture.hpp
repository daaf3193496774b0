#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice {

inline constexpr int kPictureWidth = 320;
inline constexpr int kPictureHeight = 100;

/// A PNG of the text (digits and + - *) that a person reads at a glance and that looks different
/// for each seed: every sign leans, grows and drifts by itself, the whole is bent by a wave, and
/// thinner strokes of the same ink run across. The ground is light and part of the picture, so it
/// can stand on a dark page. Takes about a millisecond; safe from any thread.
std::string draw_formula(std::string_view text, std::uint64_t seed);

}  // namespace sluice
