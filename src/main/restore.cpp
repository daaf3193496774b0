#include "adapters/sqlite/upkeep/restore.hpp"

#include <cstdio>

#include "adapters/mariadb/engine/migrate.hpp"
#include "adapters/system/shop_clock.hpp"
#include "adapters/system/system_random.hpp"
#include "adapters/transfer/load.hpp"
#include "adapters/transfer/stage.hpp"
#include "main/command_line.hpp"
#include "main/commands.hpp"
#include "main/data_folder.hpp"
#include "main/mariadb_address.hpp"
#include "main/transfer_progress.hpp"

namespace sluice {
namespace {

/// A backup contains none of the keys.
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

void tell_of_accepted(const sqlite::Restored& restored) {
    if (restored.migrations > 0)
        std::printf("Migrations applied to it: %zu\n", restored.migrations);
    for (const auto& check : restored.accepted)
        std::printf("Accepted, and noted in the audit trail: %s, %s\n", check.name.c_str(),
                    check.detail.c_str());
}

/// The file that keeps the MariaDB ledger which is replaced.
std::filesystem::path name_for_kept(const DataFolder& folder, Timestamp now) {
    auto stamp = to_rfc3339(now);
    std::erase_if(stamp, [](char c) { return c == '-' || c == ':' || c == '.'; });
    return folder.path() / ("ledger.before-" + stamp + ".db");
}

/// The backup first becomes a SQLite ledger, as in a data folder, and then its rows are loaded into
/// the server. So whatever is wrong with it is found before anything on the server is changed.
void restore_to_mariadb(const Config& config, const DataFolder& folder, sqlite::RestoreWish wish,
                        const transfer::Told& told) {
    const auto address = mariadb_address(config);
    mariadb::has_ledger(address);  // throws before anything is begun if it cannot be reached
    const transfer::Stage stage(folder.path() / "transfer");
    const bool replace = wish.replace;
    wish.to = stage.ledger();
    const auto restored = sqlite::restore(wish, told.step);
    stage.bring_up_to_date();
    const auto loaded = transfer::load({.from = stage.ledger(),
                                        .to = address,
                                        .replace = replace,
                                        .keep = name_for_kept(folder, wish.now),
                                        .now = wish.now},
                                       told);
    std::printf("%s is now what %s holds\n", address.text().c_str(), wish.from.c_str());
    if (loaded.kept) std::printf("The ledger before it: %s\n", loaded.kept->c_str());
    tell_of_accepted(restored);
}

void restore_to_sqlite(const sqlite::RestoreWish& wish, const transfer::Told& told) {
    const auto restored = sqlite::restore(wish, told.step);
    std::printf("%s is now what %s holds\n", wish.to.c_str(), wish.from.c_str());
    if (restored.kept) std::printf("The database before it: %s\n", restored.kept->c_str());
    if (restored.kept_archive)
        std::printf("The archive before it: %s\n", restored.kept_archive->c_str());
    tell_of_accepted(restored);
}

}  // namespace

int restore_command(const Config& config, const RestoreCommand& command) {
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
    if (config.ledger.kind == LedgerKind::mariadb)
        restore_to_mariadb(config, folder, wish, report_on_stderr());
    else
        restore_to_sqlite(wish, report_on_stderr());
    tell_of_keys(folder);
    return 0;
}

}  // namespace sluice
