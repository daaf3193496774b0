#include "adapters/redis/server_state.hpp"

#include <charconv>
#include <map>

namespace sluice::redis {
namespace {

constexpr int kOldestVersion = 7;  // `<epoch>-*` as the id of a stream's entry
constexpr double kFull = 0.9;

std::int64_t number_of(std::string_view digits) {
    std::int64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

std::map<std::string_view, std::string_view> lines_of(std::string_view info) {
    std::map<std::string_view, std::string_view> lines;
    while (!info.empty()) {
        const auto end = info.find("\r\n");
        const auto line = info.substr(0, end);
        info.remove_prefix(end == info.npos ? info.size() : end + 2);
        const auto colon = line.find(':');
        if (colon != line.npos) lines.emplace(line.substr(0, colon), line.substr(colon + 1));
    }
    return lines;
}

}  // namespace

void ServerState::read_info(std::string_view info) {
    auto lines = lines_of(info);
    run = std::string(lines["run_id"]) + ':' + std::string(lines["master_replid"]);
    is_master = lines["role"] == "master";
    is_loading = lines["loading"] == "1";
    version = lines["redis_version"];
    eviction = lines["maxmemory_policy"];
    used_memory = number_of(lines["used_memory"]);
    most_memory = number_of(lines["maxmemory"]);
    replicas = number_of(lines["connected_slaves"]);
    appends = lines["aof_enabled"] == "1";
    last_save_ok = lines["rdb_last_bgsave_status"] != "err" &&
                   lines["aof_last_write_status"] != "err" &&
                   lines["aof_last_bgrewrite_status"] != "err";
}

std::vector<Notice> complaints_about(const ServerState& state) {
    std::vector<Notice> complaints;
    const auto complain = [&](bool is_wrong, NoticeRule rule, const auto&... arguments) {
        if (is_wrong) complaints.emplace_back(rule, arguments...);
    };
    complain(number_of(state.version) < kOldestVersion, NoticeRule::redis_too_old, state.version);
    complain(state.eviction != "noeviction", NoticeRule::redis_evicts_keys, state.eviction);
    // Without CONFIG GET persistence and min-replicas-to-write are not known.
    complain(!state.shows_config, NoticeRule::redis_hides_config);
    complain(state.shows_config && !state.appends && state.save.empty(),
             NoticeRule::redis_keeps_nothing);
    complain(!state.last_save_ok, NoticeRule::redis_save_failed);
    complain(state.shows_config && state.replicas > 0 && state.min_replicas == 0,
             NoticeRule::redis_replicas_unsure);
    complain(state.most_memory > 0 && static_cast<double>(state.used_memory) >
                                          kFull * static_cast<double>(state.most_memory),
             NoticeRule::redis_memory_nearly_full, state.used_memory, state.most_memory);
    return complaints;
}

}  // namespace sluice::redis
