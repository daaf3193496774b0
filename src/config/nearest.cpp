#include "config/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace sluice {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const auto replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row[b.size()];
}

std::string_view last_part(std::string_view name) {
    return name.substr(name.rfind('.') + 1);
}

}  // namespace

std::optional<std::string> nearest(std::string_view name, std::span<const std::string> known) {
    constexpr std::size_t kLongestName = 100;
    if (name.size() > kLongestName) return std::nullopt;
    std::optional<std::string> best;
    std::size_t least = std::max<std::size_t>(2, name.size() / 5) + 1;
    for (const auto& candidate : known) {
        // A right key in the wrong table is as likely as one wrong letter.
        const bool misplaced = last_part(candidate) == last_part(name);
        const auto distance = misplaced ? 1 : edit_distance(name, candidate);
        if (distance >= least) continue;
        least = distance;
        best = candidate;
    }
    return best;
}

}  // namespace sluice
