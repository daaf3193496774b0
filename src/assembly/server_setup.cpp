#include "assembly/server_setup.hpp"

#include <algorithm>
#include <thread>

#include "adapters/system/open_file_limit.hpp"
#include "domain/webhook.hpp"
#include "http/server.hpp"

namespace sluice {
namespace {

/// Files that are open besides connections of shoppers: database, logs, pipes, event loops,
/// operators' connections, and deliveries to webhooks, as many as the configuration allows at once.
constexpr std::uint64_t kOtherFiles = 128;

std::uint64_t other_files(const Config& config) {
    return kOtherFiles + (config.admin_listen ? config.http.admin_connections : 0) +
           kMostWebhooks * config.webhooks.at_once;
}

/// The share of these files for newcomers who wait for a place: at most an eighth for a listener.
std::uint64_t waiting_files(const Config& config, std::uint64_t files) {
    const auto most = std::min<std::uint64_t>(http::kMostWaiting, files / 8);
    return config.admin_listen ? 2 * most : most;
}

}  // namespace

Log make_log(const Config::Log& config) {
    return Log(static_cast<Log::Level>(config.level), static_cast<Log::Format>(config.format));
}

unsigned thread_count(const Config& config) {
    return config.threads > 0 ? config.threads : std::max(1u, std::thread::hardware_concurrency());
}

std::vector<std::uint64_t> make_seeds(Random& random, unsigned count) {
    std::vector<std::uint64_t> seeds(count);
    random.fill({reinterpret_cast<unsigned char*>(seeds.data()), seeds.size() * sizeof seeds[0]});
    return seeds;
}

WorkChallenges::Key new_work_key(Random& random) {
    WorkChallenges::Key key;
    random.fill(key);
    return key;
}

std::size_t connection_bound(const Config& config, Log& log) {
    const auto files = raise_open_file_limit();
    const std::uint64_t others = other_files(config);
    const std::uint64_t rest = files > others ? files - others : 1;
    const std::uint64_t possible = rest - waiting_files(config, rest);
    if (possible >= config.http.max_connections) return config.http.max_connections;
    log.warn("http.connections_limited",
             {{"configured", config.http.max_connections}, {"open_files_allow", possible}});
    return possible;
}

std::filesystem::path web_root(const Config& config) {
    if (!config.web_root.empty()) return config.web_root;
    return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "web";
}

}  // namespace sluice
