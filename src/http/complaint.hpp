#pragma once

#include <string>
#include <string_view>

#include "http/language.hpp"

namespace sluice::http {

/// What is wrong with a field, in the caller's language. Complaints are written in English where
/// they are found; one that has no translation stays so.
std::string complaint_in(Language, std::string_view complaint);

}  // namespace sluice::http
