#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sluice::redis {

/// A script of lua/, with its prelude before it.
struct Script {
    std::string_view name;
    std::string text;
    std::string sha;
};

/// All of them.
const std::vector<Script>& scripts();
/// The one in `name`.lua, which exists.
const Script& script(std::string_view name);

}  // namespace sluice::redis
