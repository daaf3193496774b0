#pragma once

#include <string>
#include <string_view>

namespace sluice {

/// The text as valid UTF-8 which, after JSON has escaped ASCII control characters, can neither move
/// a terminal's cursor nor end a line: invalid bytes, DEL, the C1 controls and the Unicode line
/// separators become U+FFFD.
std::string printable(std::string_view);

}  // namespace sluice
