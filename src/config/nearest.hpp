#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sluice {

/// The entry of `known` that was probably meant, if one is near enough.
std::optional<std::string> nearest(std::string_view name, std::span<const std::string> known);

}  // namespace sluice
