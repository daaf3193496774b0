#pragma once

namespace sluice {

/// How an enum is stored in a column. Only enums that are stored have a specialization, all of them
/// in adapters/sql/stored_enums.hpp.
template <class Enum>
struct StoredEnum;

}  // namespace sluice
