#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/timestamp.hpp"
#include "domain/alert.hpp"

namespace sluice::web {

/// As a mail's head has it: "Thu, 19 Nov 2026 08:00:00 +0000".
std::string mail_date(Timestamp at);

/// Any text as a header field in ASCII, in lines of bounded length.
std::string encoded_words(std::string_view utf8);

/// The whole mail with its head, as it is sent after DATA, without the dot at the end. No line of
/// it begins with a dot.
std::string mail_text(const AlertMessage& message, const std::string& from,
                      const std::vector<std::string>& to);

}  // namespace sluice::web
