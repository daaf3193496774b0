#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "config/config.hpp"

namespace sluice {

/// Names the source (file and line, variable or flag) and the reason, ready to be shown:
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
    Pairs environment{};  // all variables; those without our prefix are passed over
    Pairs flags{};        // key and value: {"listen", "[::]:80"}, {"http.body_bytes", "4096"}
};

/// The process's `environ` for Sources.
Sources::Pairs environment_of(const char* const* environ);

struct Loaded {
    Config config;
    /// SLUICE_ variables that are no key. Not errors, since other programs may own such names.
    std::vector<std::string> warnings;
};

/// Throws ConfigError.
Loaded load_config(const Sources&);

}  // namespace sluice
