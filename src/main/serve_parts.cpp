#include "main/serve_parts.hpp"

#include "adapters/system/open_file_limit.hpp"
#include "api/routes.hpp"
#include "http/problem.hpp"
#include "ports/webhook_ledger.hpp"

namespace sluice {
namespace {

/// Files that are open besides connections: database, logs, pipes, event loops; and deliveries to
/// webhooks, of which as many are under way as the configuration allows.
constexpr std::uint64_t kOtherFiles = 128;

std::uint64_t other_files(const Config& config) {
    return kOtherFiles + WebhookLedger::kMostWebhooks * config.webhooks.at_once;
}

}  // namespace

std::vector<std::string> route_names() {
    std::vector<std::string> names;
    for (const auto& route : api::kRoutes) names.emplace_back(route.name);
    names.emplace_back("none");
    return names;
}

std::vector<std::string> code_names() {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < http::kCodes; ++i)
        names.emplace_back(http::name_of(static_cast<http::Code>(i)));
    return names;
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
    const std::uint64_t possible = files > others ? files - others : 1;
    if (possible >= config.http.max_connections) return config.http.max_connections;
    log.warn("http.connections_limited",
             {{"configured", config.http.max_connections}, {"open_files_allow", possible}});
    return possible;
}

std::filesystem::path web_root(const Config& config) {
    if (!config.web_root.empty()) return config.web_root;
    return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "web";
}

Endpoint own_endpoint(const http::Server& server) {
    const auto url = server.shop_url();
    auto where = Endpoint::parse(std::string_view(url).substr(url.find("//") + 2)).value();
    if (where.host == "0.0.0.0") where.host = "127.0.0.1";
    if (where.host == "::") where.host = "::1";
    return where;
}

web::WebPoster::Options only_to(const Endpoint& endpoint) {
    return {.allowed = {Network::parse(endpoint.host).value()},
            .authorities = {},
            .patience = std::chrono::seconds{5},
            .resolvers = 1};
}

}  // namespace sluice
