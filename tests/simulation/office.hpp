#pragma once

#include <string>
#include <string_view>

namespace sluice::simulation {

/// The id of an operator's request shows whether it asks for another number of units; the audit
/// trail stores it with the deed.
inline constexpr std::string_view kAsksForStock = "stock-";

inline std::string request_id(int step, bool asks_for_stock) {
    return (asks_for_stock ? std::string(kAsksForStock) : "") + std::to_string(step);
}
inline bool changes_stock(std::string_view request_id) {
    return request_id.starts_with(kAsksForStock);
}

}  // namespace sluice::simulation
