#pragma once

#include <cstddef>
#include <string_view>

namespace sluice {

/// Unicode characters in valid UTF-8.
std::size_t count_characters(std::string_view utf8);

/// Control characters (line breaks and tabs too, unless `multiline`) have no place in a text that
/// is shown to people or written to a log.
bool has_control_characters(std::string_view utf8, bool multiline);

}  // namespace sluice
