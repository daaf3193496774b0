#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/config.hpp"

namespace sluice {

/// Two values that are each valid alone and cannot be used together.
struct Conflict {
    std::string_view first, second;  // the keys
    std::string reason;
};

/// How settings relate to each other: the only place where that is checked.
std::optional<Conflict> find_conflict(const Config&);

}  // namespace sluice
