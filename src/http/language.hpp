#pragma once

#include <string_view>

namespace sluice::http {

enum class Language { en, zh };

/// The better loved of our languages in an Accept-Language header; English when neither is named.
Language preferred_language(std::string_view accept_language);

}  // namespace sluice::http
