#include "config/load.hpp"

#include <algorithm>
#include <map>

#include "config/keys.hpp"
#include "config/nearest.hpp"
#include "config/relations.hpp"
#include "config/toml_file.hpp"

namespace sluice {
namespace {

std::string with_hint(std::string message, std::string_view name,
                      const std::vector<std::string>& known) {
    if (const auto meant = nearest(name, known)) message += " (did you mean " + *meant + "?)";
    return message;
}

std::vector<std::string> key_names() {
    std::vector<std::string> names;
    for (const auto& key : keys()) names.emplace_back(key.name);
    return names;
}

std::vector<std::string> section_names() {
    std::vector<std::string> names;
    for (const auto& key : keys())
        if (const auto dot = key.name.rfind('.'); dot != key.name.npos)
            names.emplace_back(key.name.substr(0, dot));
    return names;
}

/// Variables that have our prefix but are not settings: those of this repository's own tests, and
/// those that Kubernetes gives to every container beside a service called sluice.
bool is_of_others(std::string_view variable) {
    constexpr std::string_view names[] = {"SLUICE_BINARY", "SLUICE_CHROMIUM", "SLUICE_LONG_TESTS",
                                          "SLUICE_PAGES",  "SLUICE_PORT",     "SLUICE_URL"};
    return std::ranges::find(names, variable) != std::end(names) ||
           variable.starts_with("SLUICE_SERVICE_") || variable.starts_with("SLUICE_PORT_");
}

class Loader {
  public:
    explicit Loader(const Sources& sources) : loaded_{.config = {}, .sources = sources} {
        if (!sources.demo) return;
        loaded_.config.payments.provider = PaymentProviderName::sandbox;
        // A demonstration has no gateway for messages, so it shows them.
        loaded_.config.sms.provider = MessageSenderName::sandbox;
    }

    void take_file(const std::filesystem::path& path) {
        for (const auto& entry : read_toml(path)) {
            if (std::holds_alternative<TableMark>(entry.content))
                check_table(entry);
            else
                take_entry(entry, std::get<Value>(entry.content));
        }
    }

    void take_environment(const Sources::Pairs& environment) {
        std::map<std::string, const Key*, std::less<>> known;
        for (const auto& key : keys()) known.emplace(key.variable(), &key);

        for (const auto& [variable, text] : environment) {
            if (!variable.starts_with("SLUICE_")) continue;
            const auto found = known.find(variable);
            if (found == known.end()) {
                if (is_of_others(variable)) continue;
                refuse_variable(variable);
            }
            const Key& key = *found->second;
            take(key, read_text(key, text), "environment " + variable, "");
        }
    }

    void take_flags(const Sources::Pairs& flags) {
        for (const auto& [name, text] : flags) {
            const std::string origin = "flag --" + name;
            const auto* key = find_key(name);
            if (!key)
                throw ConfigError(with_hint(origin + " is not a known key", name, key_names()));
            if (key->secret)
                throw ConfigError(origin +
                                  " is a secret, which others could read on a command "
                                  "line: give it in a file or as " +
                                  key->variable());
            take(*key, read_text(*key, text), origin, "");
        }
    }

    Loaded result() && {
        if (const auto conflict = find_conflict(loaded_.config)) refuse(*conflict);
        return std::move(loaded_);
    }

  private:
    void check_table(const FileEntry& table) const {
        if (is_section(table.name)) return;
        if (find_key(table.name))
            throw ConfigError(table.place + ": " + table.name + " takes a value, not a table");
        throw ConfigError(with_hint(table.place + ": " + table.name + " is not a known table",
                                    table.name, section_names()));
    }

    void take_entry(const FileEntry& entry, const Value& value) {
        const auto* key = find_key(entry.name);
        if (key && key->not_in_file)
            throw ConfigError(entry.place + ": " + entry.name +
                              " does not belong in this file: give it as " + key->variable() +
                              ", or name a file with " + entry.name + "_file");
        if (key) return take(*key, value, entry.place, entry.name + ": ");
        if (is_section(entry.name))
            throw ConfigError(entry.place + ": " + entry.name + " is a table, not a value");
        throw ConfigError(with_hint(entry.place + ": " + entry.name + " is not a known key",
                                    entry.name, key_names()));
    }

    void take(const Key& key, const Value& value, const std::string& origin,
              const std::string& label) {
        if (const auto reason = assign(loaded_.config, key, value))
            throw ConfigError(origin + ": " + label + *reason);
        auto& before = origins_[key.name];
        if (before == origin) throw ConfigError(origin + " is given twice");
        before = origin;
        loaded_.given[std::string(key.name)] = value;
        loaded_.places[std::string(key.name)] = origin;
    }

    [[noreturn]] static void refuse_variable(const std::string& variable) {
        std::vector<std::string> names;
        for (const auto& key : keys()) names.push_back(key.variable());
        throw ConfigError(
            with_hint("environment " + variable + " is not a known key", variable, names));
    }

    [[noreturn]] void refuse(const Conflict& conflict) const {
        const auto first = origins_.find(conflict.first);
        const auto second = origins_.find(conflict.second);
        if (first == origins_.end())
            throw ConfigError(second->second + ": " + conflict.reason + " (" +
                              std::string(conflict.first) + " by default)");
        throw ConfigError(
            first->second + ": " + conflict.reason + " (" + std::string(conflict.second) +
            (second == origins_.end() ? " by default)" : " from " + second->second + ')'));
    }

    Loaded loaded_;
    std::map<std::string_view, std::string> origins_;  // of the values that are not the default
};

}  // namespace

Sources::Pairs environment_of(const char* const* environ) {
    Sources::Pairs pairs;
    for (; *environ; ++environ) {
        const std::string_view line = *environ;
        const auto equals = line.find('=');
        if (equals == line.npos) continue;
        pairs.emplace_back(line.substr(0, equals), line.substr(equals + 1));
    }
    return pairs;
}

Loaded load_config(const Sources& sources) {
    Loader loader(sources);
    if (sources.file) loader.take_file(*sources.file);
    loader.take_environment(sources.environment);
    loader.take_flags(sources.flags);
    return std::move(loader).result();
}

std::vector<std::string> changed_keys(const Loaded& before, const Loaded& after) {
    std::vector<std::string> changed;
    for (const auto& key : keys()) {
        const std::string name(key.name);
        const auto old = before.given.find(name);
        const auto now = after.given.find(name);
        const bool was = old != before.given.end(), is = now != after.given.end();
        if (was != is || (was && old->second != now->second)) changed.push_back(name);
    }
    std::ranges::sort(changed);
    return changed;
}

}  // namespace sluice
