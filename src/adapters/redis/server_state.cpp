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

std::vector<std::string> complaints_about(const ServerState& state) {
    std::vector<std::string> complaints;
    const auto complain = [&](bool is_wrong, std::string text) {
        if (is_wrong) complaints.push_back(std::move(text));
    };
    complain(number_of(state.version) < kOldestVersion,
             "Redis is version " + state.version + "; 7.0 or newer is needed");
    complain(state.eviction != "noeviction",
             "maxmemory-policy is " + state.eviction + "; with noeviction no key is lost");
    complain(!state.shows_config,
             "CONFIG GET is not allowed, so persistence and min-replicas-to-write are not known");
    complain(state.shows_config && !state.appends && state.save.empty(),
             "neither appendonly nor save is on: each restart empties it");
    complain(!state.last_save_ok, "the last attempt to write its data to disk has failed");
    complain(state.shows_config && state.replicas > 0 && state.min_replicas == 0,
             "it has replicas and min-replicas-to-write is 0: a master that is cut off goes on");
    complain(state.most_memory > 0 && static_cast<double>(state.used_memory) >
                                          kFull * static_cast<double>(state.most_memory),
             "its memory is nearly full: " + std::to_string(state.used_memory) + " of " +
                 std::to_string(state.most_memory) + " bytes");
    return complaints;
}

}  // namespace sluice::redis
