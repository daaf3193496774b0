#pragma once

#include <cstddef>
#include <string_view>

namespace sluice {

/// Unicode characters in valid UTF-8.
std::size_t count_characters(std::string_view utf8);

/// Control characters (including line breaks and tabs, unless `multiline`) are not allowed in a
/// text that is shown to people or written to a log.
bool has_control_characters(std::string_view utf8, bool multiline);

/// Without blanks at both ends, including the wide one of Chinese texts and the non-breaking one.
std::string_view trimmed(std::string_view utf8);

}  // namespace sluice
