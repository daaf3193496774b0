#include "assembly/reload.hpp"

#include <string_view>

namespace sluice {
namespace {

bool is_live(std::string_view key) {
    return key.starts_with("limits.") || key.starts_with("log.");
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

}  // namespace

Reload::Reload(Loaded loaded, Log& log, LimitScope& scope, LimitEditor& limits,
               std::function<void()> refresh)
    : loaded_(std::move(loaded)),
      log_(log),
      scope_(scope),
      limits_(limits),
      refresh_(std::move(refresh)) {}

void Reload::run() {
    try {
        put_into_force(load_config(loaded_.sources));
    } catch (const std::exception& error) {
        log_.error("config.reload_refused", {{"reason", error.what()}});
    }
    refresh_();
}

void Reload::put_into_force(const Loaded& fresh) {
    std::vector<std::string> live, waiting;
    for (auto& key : changed_keys(loaded_, fresh))
        (is_live(key) ? live : waiting).push_back(std::move(key));

    const auto& log = fresh.config.log;
    log_.set(static_cast<Log::Level>(log.level), static_cast<Log::Format>(log.format));
    const auto& limits = fresh.config.limits;
    scope_.replace(limits.enabled, limits.exempt);
    for (const auto& name : limits_.reconfigure(limits.rates))
        log_.warn("limits.setting_passed_over", {{"name", name}});

    log_.info("config.reloaded", {{"changed", joined(live)}});
    if (!waiting.empty()) log_.warn("config.needs_restart", {{"keys", joined(waiting)}});
    // Keys that wait for a restart are compared with what the server runs with, at the next reload
    // too.
    loaded_.config.log = log;
    loaded_.config.limits = limits;
    for (const auto& key : live) {
        const auto given = fresh.given.find(key);
        if (given == fresh.given.end())
            loaded_.given.erase(key);
        else
            loaded_.given[key] = given->second;
    }
}

}  // namespace sluice
