#include "main/store.hpp"

#include "adapters/sqlite/migrate.hpp"

namespace sluice {
namespace {

sqlite::LedgerOptions migrated(const DataFolder& folder, const Config& config,
                               std::function<sqlite::CheckpointPermit()> may_checkpoint) {
    sqlite::migrate(folder.database());
    return {.file = folder.database(),
            .batch = config.ledger.batch,
            .backlog = config.ledger.backlog,
            .readers = config.ledger.readers,
            .may_checkpoint = std::move(may_checkpoint)};
}

/// Without a server a command looks after the log by itself, so that it does not grow without
/// bound.
auto when_no_server_runs(const Config& config) {
    return [folder = DataFolder(config.data)]() -> sqlite::CheckpointPermit {
        return ServerLock::try_take(folder);
    };
}

/// Points to the lock, which outlives the store.
auto by_right_of(const ServerLock& lock) {
    return [&lock]() -> sqlite::CheckpointPermit { return {&lock, [](const void*) {}}; };
}

}  // namespace

Store::Store(const Config& config) : Store(config, when_no_server_runs(config)) {}

Store::Store(const Config& config, const ServerLock& lock) : Store(config, by_right_of(lock)) {}

Store::Store(const Config& config, MayCheckpoint may_checkpoint)
    : folder(config.data),
      keys(load_keys(folder.path())),
      tokens(keys.sessions),
      ledger(migrated(folder, config, std::move(may_checkpoint))),
      ids(make_id_source(random)),
      hasher(config.accounts.hash_threads, config.accounts.hash_backlog, {},
             config.accounts.legacy_fixed_salt) {}

}  // namespace sluice
