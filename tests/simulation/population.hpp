#pragma once

#include "domain/ids.hpp"

namespace sluice::simulation {

/// Who lives in a world: one operator, and buyers 2 to 6.
inline constexpr UserId kOperator{1};
inline constexpr std::int64_t kFirstBuyer = 2;
inline constexpr std::int64_t kLastUser = 6;

}  // namespace sluice::simulation
