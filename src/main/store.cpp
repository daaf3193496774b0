#include "main/store.hpp"

#include "adapters/sqlite/engine/archive_file.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
#include "main/unfinished_restore.hpp"

namespace sluice {
namespace {

ShopClock::Options clock_options(const DataFolder& folder, const Config& config, bool trust) {
    ShopClock::Options options{.note = folder.clock_note(), .rules = {}, .trust_wall = trust};
    options.rules.patience = std::chrono::seconds{config.clock.patience_seconds};
    return options;
}

sqlite::LedgerOptions migrated(const DataFolder& folder, const Config& config, const Clock& clock,
                               std::function<sqlite::CheckpointPermit()> may_checkpoint) {
    sqlite::migrate(folder.database());
    try {
        sqlite::migrate_archive(folder.database());
    } catch (const std::exception&) {
        // The shop sells without its archive. Whoever needs it is told what is wrong with it.
    }
    return {.file = folder.database(),
            .batch = config.ledger.batch,
            .backlog = config.ledger.backlog,
            .readers = config.ledger.readers,
            .clock = &clock,
            .may_checkpoint = std::move(may_checkpoint)};
}

/// For a command, before it touches anything. Without a server it looks after the log by itself, so
/// that it does not grow without bound.
auto when_no_server_runs(const Config& config, Store::IfAbsent if_absent) {
    finish_restore(config.data);
    if (if_absent == Store::IfAbsent::fail) expect_database(config.data);
    return [folder = DataFolder(config.data)]() -> sqlite::CheckpointPermit {
        return ServerLock::try_take(folder);
    };
}

/// Points to the lock, which outlives the store.
auto by_right_of(const ServerLock& lock) {
    return [&lock]() -> sqlite::CheckpointPermit { return {&lock, [](const void*) {}}; };
}

}  // namespace

Store::Store(const Config& config, IfAbsent if_absent)
    : Store(config, when_no_server_runs(config, if_absent), false) {}

Store::Store(const Config& config, const ServerLock& lock, bool trust_clock)
    : Store(config, by_right_of(lock), trust_clock) {}

Store::Store(const Config& config, MayCheckpoint may_checkpoint, bool trust_clock)
    : folder(config.data),
      clock(clock_options(folder, config, trust_clock)),
      keys(load_keys(folder.path())),
      tokens(keys.sessions),
      ledger(migrated(folder, config, clock, std::move(may_checkpoint))),
      ids(make_id_source(random)),
      hasher(config.accounts.hash_threads, config.accounts.hash_backlog, {},
             config.accounts.legacy_fixed_salt) {}

}  // namespace sluice
