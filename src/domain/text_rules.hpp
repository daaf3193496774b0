#pragma once

#include <cstddef>
#include <string_view>

namespace sluice {

/// Unicode characters in valid UTF-8.
std::size_t count_characters(std::string_view utf8);

/// Control characters (line breaks and tabs too, unless `multiline`) have no place in a text that
/// is shown to people or written to a log.
bool has_control_characters(std::string_view utf8, bool multiline);

/// Without the blanks around it, the wide one of Chinese texts and the one that does not break
/// included.
std::string_view trimmed(std::string_view utf8);

}  // namespace sluice
