#pragma once

namespace sluice {

/// How an enum stands in a column. Only enums that stand in one have a specialization, all of them
/// in adapters/sql/stored_enums.hpp.
template <class Enum>
struct StoredEnum;

}  // namespace sluice
