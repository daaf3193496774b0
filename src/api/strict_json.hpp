#pragma once

#include <optional>
#include <string_view>

#include <boost/json/value.hpp>

namespace sluice::api {

/// One whole JSON document in valid UTF-8, not deeper than 32 levels, no object with more than 64
/// keys or with the same key twice, no number too large for a double; nullopt for anything else.
std::optional<boost::json::value> parse_strict_json(std::string_view text);

}  // namespace sluice::api
