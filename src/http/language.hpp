#pragma once

#include <string_view>

#include "domain/language.hpp"

namespace sluice::http {

using sluice::Language;

/// The better loved of our languages in an Accept-Language header; English when neither is named.
Language preferred_language(std::string_view accept_language);

}  // namespace sluice::http
