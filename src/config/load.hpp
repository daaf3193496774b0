#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "config/config.hpp"
#include "config/value.hpp"

namespace sluice {

/// Names the source (file and line, variable or flag) and the reason, in a form that can be shown:
/// `sluice.toml:12:1: limits.enabeld is not a known key (did you mean limits.enabled?)`.
class ConfigError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Later ones win: file, environment, flags. A bad value is an error even where a later source
/// overrides it.
struct Sources {
    using Pairs = std::vector<std::pair<std::string, std::string>>;

    std::optional<std::filesystem::path> file{};
    Pairs environment{};  // all variables; those without our prefix are ignored
    Pairs flags{};        // key and value: {"listen", "[::]:80"}, {"http.body_bytes", "4096"}
    bool demo = false;    // a demonstration, which uses the sandboxes by default
};

/// The process's `environ` for Sources.
Sources::Pairs environment_of(const char* const* environ);

/// A configuration and its sources, so that it can be loaded again and compared.
struct Loaded {
    Config config;
    Sources sources;
    std::map<std::string, Value> given{};         // by key; a key that is not here has its default
    std::map<std::string, std::string> places{};  // where each of them was last given
};

/// Throws ConfigError. A variable that begins with SLUICE_ and is no key is an error like any other
/// unknown key, unless it is one of the known exceptions.
Loaded load_config(const Sources&);

/// The keys whose given values differ, in alphabetical order.
std::vector<std::string> changed_keys(const Loaded& before, const Loaded& after);

}  // namespace sluice
