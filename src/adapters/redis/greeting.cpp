#include "adapters/redis/greeting.hpp"

#include "adapters/redis/call.hpp"
#include "base/outage.hpp"

namespace sluice::redis {
namespace {

/// A name and its value in the answer to CONFIG GET.
bool read_config(ReplyView answer, std::string& value) {
    if (answer.is_error() || answer.size() != 2) return false;
    value = answer[1].text();
    return true;
}

}  // namespace

Greeting::Greeting(const Options& options) {
    if (!options.password.empty()) {
        if (options.user.empty())
            say(Step::must_succeed, {"AUTH", options.password});
        else
            say(Step::must_succeed, {"AUTH", options.user, options.password});
    }
    if (options.database != 0)
        say(Step::must_succeed, {"SELECT", std::to_string(options.database)});
    say(Step::may_fail, {"CLIENT", "SETNAME", "sluice"});
    say(Step::info, {"INFO"});
    say(Step::save, {"CONFIG", "GET", "save"});
    say(Step::min_replicas, {"CONFIG", "GET", "min-replicas-to-write"});
    for (const auto& each : scripts()) say(Step::must_succeed, {"SCRIPT", "LOAD", each.text});
}

void Greeting::say(Step step, const std::vector<std::string>& words) {
    steps_.push_back(step);
    append_command(commands_, words);
}

ServerState Greeting::read(const std::vector<Reply>& answers) const {
    ServerState state;
    std::string min_replicas;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const auto answer = answers[i].view();
        const auto step = steps_[i];
        if (step == Step::save) state.shows_config = read_config(answer, state.save);
        if (step == Step::min_replicas && read_config(answer, min_replicas))
            state.min_replicas = std::stoll(min_replicas);
        if ((step == Step::must_succeed || step == Step::info) && answer.is_error())
            throw Outage("Redis says: " + std::string(answer.text()));
        if (step != Step::info) continue;
        state.read_info(answer.text());
        if (state.is_loading) throw Outage("Redis is still loading its data");
        if (!state.is_master) throw Outage("this Redis is a replica");
    }
    return state;
}

}  // namespace sluice::redis
