#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/config.hpp"

namespace sluice {

/// Two values, each possible alone, that cannot be together.
struct Conflict {
    std::string_view first, second;  // the keys
    std::string reason;
};

/// How the limits relate: the one place where that is stated.
std::optional<Conflict> find_conflict(const Config&);

}  // namespace sluice
