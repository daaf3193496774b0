#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "adapters/web/web_poster.hpp"
#include "config/config.hpp"
#include "domain/proof_of_work.hpp"
#include "http/server.hpp"
#include "observe/log.hpp"
#include "ports/random.hpp"

namespace sluice {

// What serve() computes before it puts the server together.

std::vector<std::string> route_names();
std::vector<std::string> code_names();
std::vector<std::uint64_t> make_seeds(Random& random, unsigned count);
WorkChallenges::Key new_work_key(Random& random);

/// As configured, or fewer where the open-file limit, raised as far as it goes, does not allow it.
std::size_t connection_bound(const Config& config, Log& log);

/// The folder of the pages: as configured, or beside the binary.
std::filesystem::path web_root(const Config& config);

/// Where the built-in provider finds our webhook: at the shop's own listener.
Endpoint own_endpoint(const http::Server& server);

/// For a poster that goes nowhere else.
web::WebPoster::Options only_to(const Endpoint& endpoint);

}  // namespace sluice
