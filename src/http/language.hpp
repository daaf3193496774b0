#pragma once

#include <string_view>

#include "domain/language.hpp"

namespace sluice::http {

using sluice::Language;

/// The language of ours that an Accept-Language header prefers; English when it names neither.
Language preferred_language(std::string_view accept_language);

}  // namespace sluice::http
