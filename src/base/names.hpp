#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "base/check.hpp"

namespace sluice {

/// The texts of an enum whose values are `first`, usually 0, and so on up to `last`: one table for
/// both directions. A table that lacks a value, or has a text twice, does not compile.
template <auto last, auto first = decltype(last){}>
class Names {
  public:
    using Enum = decltype(last);
    static constexpr auto kFirst = static_cast<std::size_t>(first);
    static constexpr std::size_t kCount = static_cast<std::size_t>(last) - kFirst + 1;

    struct Name {
        Enum value;
        std::string_view text;
    };
    consteval explicit Names(const Name (&names)[kCount]) {
        for (std::size_t i = 0; i < kCount; ++i) {
            if (static_cast<std::size_t>(names[i].value) != kFirst + i)
                throw "in the order of the values";
            for (std::size_t j = 0; j < i; ++j)
                if (texts_[j] == names[i].text) throw "a text stands for one value";
            texts_[i] = names[i].text;
        }
    }

    constexpr std::string_view text(Enum value) const {
        const auto place = static_cast<std::size_t>(value) - kFirst;
        CHECK(place < kCount, "an enum has one of its values");
        return texts_[place];
    }
    constexpr std::optional<Enum> parse(std::string_view text) const {
        for (std::size_t i = 0; i < kCount; ++i)
            if (texts_[i] == text) return static_cast<Enum>(kFirst + i);
        return std::nullopt;
    }

  private:
    std::array<std::string_view, kCount> texts_{};
};

}  // namespace sluice
