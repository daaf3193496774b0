#pragma once

#include <string_view>

#include "domain/language.hpp"

namespace sluice::http {

using sluice::Language;

/// The one of our languages that an Accept-Language header prefers; English when it names none.
Language preferred_language(std::string_view accept_language);

}  // namespace sluice::http
