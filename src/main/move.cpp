#include <cstdio>
#include <optional>

#include "adapters/mariadb/engine/migrate.hpp"
#include "adapters/sqlite/engine/archive_file.hpp"
#include "adapters/sqlite/upkeep/audit.hpp"
#include "adapters/sqlite/upkeep/restore.hpp"
#include "adapters/system/shop_clock.hpp"
#include "adapters/system/system_random.hpp"
#include "adapters/transfer/dump.hpp"
#include "adapters/transfer/load.hpp"
#include "adapters/transfer/stage.hpp"
#include "config/ledger_url.hpp"
#include "main/command_line.hpp"
#include "main/commands.hpp"
#include "main/data_folder.hpp"
#include "main/mariadb_address.hpp"
#include "main/transfer_progress.hpp"
#include "main/unfinished_restore.hpp"

namespace sluice {
namespace {

namespace fs = std::filesystem;
using transfer::TransferError;

/// What both directions need.
struct Mover {
    explicit Mover(const Config& config)
        : folder(config.data), clock({.note = folder.clock_note()}) {}

    Deed make_deed(const std::string& to) {
        return CommandLine(clock, ids).make_deed("ledger.move", to, "", "");
    }

    const DataFolder folder;
    const ServerLock lock{folder};
    const ShopClock clock;
    SystemRandom random;
    IdSource ids{make_id_source(random)};
};

void tell_of_keys(const fs::path& data) {
    std::printf(
        "master.key and pass.keys are not in a ledger. They stay in %s, and the server needs them "
        "as before.\n",
        data.c_str());
}

int move_to_mariadb(Config config, const std::string& url) {
    expect_database(config.data);
    config.ledger.url = url;
    const auto address = mariadb_address(config);
    mariadb::has_ledger(address);  // throws before anything is begun if it cannot be reached
    Mover mover(config);
    finish_restore(mover.folder, mover.lock);
    if (fs::exists(sqlite::loss_file_of(mover.folder.database())))
        throw TransferError(
            "the ledger has lost orders, as `sluice audit` says: put that right "
            "first (docs/restore.md)");
    const auto told = report_on_stderr();
    told.step("copying the ledger");
    const transfer::Stage stage(mover.folder.path() / "transfer");
    stage.copy_from(mover.folder.database());
    stage.bring_up_to_date();
    told.step("proving the promises");
    const auto now = mover.clock.now();
    stage.expect_sound(now);
    const auto loaded = transfer::load({.from = stage.ledger(),
                                        .to = address,
                                        .replace = false,
                                        .keep = {},
                                        .now = now,
                                        .deed = mover.make_deed(address.text())},
                                       told);
    if (loaded.went_on) std::printf("An earlier move was cut short; this one went on with it.\n");
    std::printf("%s has all %lld rows of %s, and every promise holds there.\n",
                address.text().c_str(), static_cast<long long>(loaded.rows),
                mover.folder.database().c_str());
    std::printf("Now write into the configuration:\n[ledger]\nkind = \"mariadb\"\nurl = \"%s\"\n",
                url.c_str());
    if (config.backup.every.count() != 0)
        std::printf(
            "[backup]\nevery = \"off\"  # a MariaDB server is backed up by its own tools\n");
    tell_of_keys(mover.folder.path());
    std::printf(
        "The old ledger is as it was. Do not start a server on it again; remove sluice.db and "
        "archive.db when you are sure.\n");
    return 0;
}

void expect_no_servers(const mariadb::ServerAddress& address) {
    mariadb::Connection connection(address, mariadb::kLongPatience);
    connection.connect();
    transfer::expect_no_others(connection);
}

/// Left by a move that was killed. We hold the folder's lock.
void remove_partial(const fs::path& database) {
    for (const auto& file : {database, sqlite::archive_of(database)})
        for (const char* suffix : {".partial", ".partial-wal", ".partial-shm", ".partial-journal"})
            fs::remove(file.string() + suffix);
}

int move_to_sqlite(const Config& config, const fs::path& data) {
    expect_folder(config.data);
    const auto address = mariadb_address(config);
    Mover mover(config);
    expect_no_servers(address);
    const DataFolder folder(data);
    std::optional<ServerLock> lock;
    const bool elsewhere = !fs::equivalent(data, config.data);
    if (elsewhere) lock.emplace(folder);
    if (sqlite::has_unfinished_restore(folder.database()) || has_database(data))
        throw TransferError("there is a database in " + folder.path().string() +
                            " already, and it is left as it is: name another folder");
    remove_partial(folder.database());
    const auto told = report_on_stderr();
    const auto deed = mover.make_deed("sqlite:" + folder.path().string());
    const auto finish = [&](sqlite::Database& ledger, const transfer::Dumped& dumped) {
        if (!dumped.broken.empty())
            throw TransferError("the ledger breaks a promise, " + dumped.broken.front().name +
                                ": " + dumped.broken.front().detail);
        transfer::take_over(ledger, deed);
        // They describe another ledger.
        for (const auto& file :
             {sqlite::mark_file_of(folder.database()), sqlite::loss_file_of(folder.database())})
            fs::remove(file);
    };
    const auto dumped = transfer::dump(
        address, {.ledger = folder.database(), .archive = sqlite::archive_of(folder.database())},
        mover.clock.now(), told, finish);
    std::printf("%s has all %lld rows of %s, and every promise holds there.\n",
                folder.database().c_str(), static_cast<long long>(dumped.rows),
                address.text().c_str());
    std::printf("Now write into the configuration:\n%s[ledger]\nkind = \"sqlite\"\nurl = \"\"\n",
                elsewhere ? ("data = \"" + folder.path().string() + "\"\n").c_str() : "");
    tell_of_keys(mover.folder.path());
    if (elsewhere)
        std::printf("Copy both to %s before the start, with their mode (0600).\n",
                    folder.path().c_str());
    std::printf(
        "The old ledger is as it was. Do not start a server on it again; drop the database when "
        "you are sure.\n");
    return 0;
}

}  // namespace

int move_command(const Config& config, const std::string& to) {
    constexpr std::string_view kSqlite = "sqlite:";
    const bool to_sqlite = to.starts_with(kSqlite) && to.size() > kSqlite.size();
    const bool to_mariadb = LedgerUrl::parse(to).has_value();
    if (!to_sqlite && !to_mariadb)
        throw TransferError("--to " + to +
                            ": must be mariadb://host[:port]/database, "
                            "mariadb://localhost/database?socket=/path or sqlite:DIR");
    const bool from_sqlite = config.ledger.kind == LedgerKind::sqlite;
    if (from_sqlite == to_sqlite)
        throw TransferError(
            "the ledger of the configuration is of that kind already: to copy it, use `sluice "
            "backup` and `sluice restore`");
    return to_sqlite ? move_to_sqlite(config, to.substr(kSqlite.size()))
                     : move_to_mariadb(config, to);
}

}  // namespace sluice
