#include <cstdio>

#include <boost/json/serialize.hpp>

#include "adapters/system/pass_key_file.hpp"
#include "adapters/system/shop_clock.hpp"
#include "base/run_to_end.hpp"
#include "main/commands.hpp"
#include "main/shared_keys.hpp"
#include "main/store.hpp"

namespace sluice {
namespace {

std::string age_of(const PassKey& key, Timestamp now) {
    using namespace std::chrono;
    const auto age = now - key.made_at;
    if (age >= 48h) return std::to_string(duration_cast<days>(age).count()) + " days";
    if (age >= 2h) return std::to_string(duration_cast<hours>(age).count()) + " hours";
    if (age >= 2min) return std::to_string(duration_cast<minutes>(age).count()) + " minutes";
    return std::to_string(std::max<std::int64_t>(0, duration_cast<seconds>(age).count())) +
           " seconds";
}

int list(const PassKeyFile& file, Timestamp now) {
    const auto keys = keys_in_force(file.read(), now);
    std::printf("%5s  %-24s  %-12s  %s\n", "id", "made at", "age", "use");
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const bool newest = i + 1 == keys.size();
        const auto use =
            newest ? std::string("signs and verifies")
                   : "verifies until " + to_rfc3339(keys[i + 1].made_at + kPassKeyRetention);
        std::printf("%5d  %-24s  %-12s  %s\n", keys[i].id, to_rfc3339(keys[i].made_at).c_str(),
                    age_of(keys[i], now).c_str(), use.c_str());
    }
    return 0;
}

}  // namespace

int keys_command(const Config& config, KeysCommand command) {
    expect_folder(config.data);
    const DataFolder folder(config.data);
    PassKeyFile file(folder.path());
    const auto now = ShopClock({.note = folder.clock_note()}).now();
    if (command != KeysCommand::list) {
        Store store(config);
        const bool drop_old = command == KeysCommand::rotate_and_drop;
        // Before the file is replaced: so there is no rotation without a deed, whenever this is
        // killed.
        const boost::json::object after{{"drop_old", drop_old}};
        run_to_end(store.ledger.trail().add(store.command_line.make_deed(
            "keys.rotate", "pass.keys", "", boost::json::serialize(after))));
        if (config.hot.kind == HotKind::memory) {
            std::printf("key %d signs passes from now on\n",
                        file.rotate(store.random, now, drop_old).id);
            return 0;
        }
        SharedPassKeys shared(store.mariadb(), folder.path(), store.keys);
        std::printf("key %d signs passes on all servers %s\n",
                    shared.rotate(store.random, now, drop_old).id,
                    drop_old ? "from now on" : "in some seconds");
        return 0;
    }
    if (!file.exists())
        throw std::runtime_error("there is no pass.keys in " + folder.path().string() +
                                 " yet; the server makes it when it starts");
    return list(file, now);
}

}  // namespace sluice
