#pragma once

#include <cstddef>

namespace sluice::testing_support {

/// How often this thread has allocated memory.
std::size_t allocations();

}  // namespace sluice::testing_support
