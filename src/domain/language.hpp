#pragma once

#include "base/names.hpp"

namespace sluice {

/// The languages in which people are answered.
enum class Language { en, zh };

/// What the pages' `lang` attribute says.
inline constexpr Names<Language::zh> kLanguageTags({{Language::en, "en"}, {Language::zh, "zh-CN"}});

}  // namespace sluice
