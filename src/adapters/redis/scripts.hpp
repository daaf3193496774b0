#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sluice::redis {

/// A script of lua/, after its prelude.
struct Script {
    std::string_view name;
    std::string text;
    std::string sha;
};

/// All of them.
const std::vector<Script>& scripts();
/// The script in `name`.lua, which has to exist.
const Script& script(std::string_view name);

}  // namespace sluice::redis
