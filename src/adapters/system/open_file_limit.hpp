#pragma once

#include <cstdint>

namespace sluice {

/// Raises the number of files and sockets that this process may open as far as it is allowed, and
/// returns the number in force. If that fails the limit stays as it was.
std::uint64_t raise_open_file_limit();

}  // namespace sluice
