#pragma once

#include <string>
#include <string_view>

namespace sluice {

/// The text as valid UTF-8 in which nothing can move a terminal's cursor or end a line, once
/// JSON has escaped the control characters of ASCII: bytes that are no UTF-8, DEL, the C1 controls
/// and the Unicode line separators become U+FFFD.
std::string printable(std::string_view);

}  // namespace sluice
