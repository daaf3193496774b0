#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

namespace sluice::http {

/// The query parameters that a route knows. A strict route refuses any other parameter, and one
/// that is empty or given twice, because a misspelt filter would otherwise be ignored. A lax one
/// refuses nothing: people share the address of a page, and other sites add parameters to it.
class KnownQuery {
  public:
    enum class Strictness { strict, lax };
    static constexpr std::size_t kMost = 12;

    constexpr KnownQuery() = default;
    /// Does not compile, in a constant, with more than kMost.
    constexpr KnownQuery(std::initializer_list<std::string_view> names, Strictness strictness)
        : count_(names.size()), strictness_(strictness) {
        std::size_t at = 0;
        for (const auto name : names) names_.at(at++) = name;
    }

    bool strict() const { return strictness_ == Strictness::strict; }
    std::span<const std::string_view> names() const { return std::span(names_).first(count_); }
    std::optional<std::size_t> place_of(std::string_view name) const {
        const auto at = std::ranges::find(names(), name);
        if (at == names().end()) return std::nullopt;
        return static_cast<std::size_t>(at - names().begin());
    }

  private:
    std::array<std::string_view, kMost> names_{};
    std::size_t count_ = 0;
    Strictness strictness_ = Strictness::strict;
};

}  // namespace sluice::http
