#pragma once

#include <cstddef>
#include <filesystem>

#include "config/config.hpp"
#include "observe/log.hpp"

namespace sluice {

// What the machine allows, and where on it things are.

unsigned thread_count(const Config& config);

/// How many connections may be open: as configured, or as many as there are files for.
std::size_t connection_bound(const Config& config, Log& log);

std::filesystem::path web_root(const Config& config);

}  // namespace sluice
