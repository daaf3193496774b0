#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "config/config.hpp"
#include "domain/proof_of_work.hpp"
#include "observe/log.hpp"
#include "ports/random.hpp"

namespace sluice {

// How the configuration and the machine together set up a server.

Log make_log(const Config::Log& config);

unsigned thread_count(const Config& config);

/// One for each event loop.
std::vector<std::uint64_t> make_seeds(Random& random, unsigned count);

WorkChallenges::Key new_work_key(Random& random);

/// How many connections there may be: as configured or, with a warning, as the open-file limit
/// allows. That limit is raised as far as possible.
std::size_t connection_bound(const Config& config, Log& log);

std::filesystem::path web_root(const Config& config);

}  // namespace sluice
