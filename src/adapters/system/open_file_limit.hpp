#pragma once

#include <cstdint>

namespace sluice {

/// Raises the number of files and sockets this process may have open as far as it is allowed, and
/// returns the number in force. Leaves the limit as it was when that fails.
std::uint64_t raise_open_file_limit();

}  // namespace sluice
