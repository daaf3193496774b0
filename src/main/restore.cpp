#include "adapters/sqlite/upkeep/restore.hpp"

#include <cstdio>

#include "adapters/system/shop_clock.hpp"
#include "adapters/system/system_random.hpp"
#include "main/command_line.hpp"
#include "main/commands.hpp"
#include "main/data_folder.hpp"
#include "main/mariadb_address.hpp"

namespace sluice {
namespace {

/// A backup has none of the keys.
void tell_of_keys(const DataFolder& folder) {
    std::printf("All sessions have ended: everybody logs in again, with the passwords of then.\n");
    for (const auto* name : {"master.key", "pass.keys"})
        if (!std::filesystem::exists(folder.path() / name))
            std::printf(
                "There is no %s in %s. If you have the one of the old server, put it there before "
                "the start; else a new one is made.\n",
                name, folder.path().c_str());
    if (!std::filesystem::exists(folder.path() / "master.key"))
        std::printf(
            "With a new master.key webhooks are signed with other secrets: register them again. "
            "Nobody's second factor is recognised: sluice user remove-second-factor lets them set "
            "up another.\n");
}

}  // namespace

int restore_command(const Config& config, const RestoreCommand& command) {
    expect_sqlite(config, "restore", "use the server's own tools");
    const DataFolder folder(config.data);
    const ServerLock lock(folder);
    const ShopClock clock({.note = folder.clock_note()});
    SystemRandom random;
    auto ids = make_id_source(random);
    const CommandLine command_line(clock, ids);
    const sqlite::RestoreWish wish{
        .from = command.from,
        .to = folder.database(),
        .replace = command.replace,
        .now = clock.now(),
        .deed = command_line.make_deed("ledger.restore", command.from.filename().string(), "", ""),
        .accept = command.accept};
    const auto restored = sqlite::restore(wish, [](std::string_view step) {
        std::fprintf(stderr, "%.*s\n", static_cast<int>(step.size()), step.data());
    });
    std::printf("%s is now what %s holds\n", wish.to.c_str(), command.from.c_str());
    if (restored.migrations > 0)
        std::printf("Migrations applied to it: %zu\n", restored.migrations);
    if (restored.kept) std::printf("The database before it: %s\n", restored.kept->c_str());
    if (restored.kept_archive)
        std::printf("The archive before it: %s\n", restored.kept_archive->c_str());
    for (const auto& check : restored.accepted)
        std::printf("Accepted, and noted in the audit trail: %s, %s\n", check.name.c_str(),
                    check.detail.c_str());
    tell_of_keys(folder);
    return 0;
}

}  // namespace sluice
