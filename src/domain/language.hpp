#pragma once

namespace sluice {

/// The languages in which people are answered.
enum class Language { en, zh };

}  // namespace sluice
