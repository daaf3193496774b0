#pragma once

namespace sluice {

/// What people are answered in.
enum class Language { en, zh };

}  // namespace sluice
