#include "main/store.hpp"

#include "adapters/sqlite/archive.hpp"
#include "adapters/sqlite/migrate.hpp"

namespace sluice {
namespace {

sqlite::LedgerOptions migrated(const DataFolder& folder, const Config& config) {
    sqlite::migrate(folder.database());
    const auto archive = sqlite::archive_of(folder.database());
    if (std::filesystem::exists(archive)) sqlite::migrate(archive);
    return {.file = folder.database(),
            .batch = config.ledger.batch,
            .backlog = config.ledger.backlog,
            .readers = config.ledger.readers};
}

}  // namespace

Store::Store(const Config& config)
    : folder(config.data),
      keys(load_keys(folder.path())),
      tokens(keys.sessions),
      ledger(migrated(folder, config)),
      ids(make_id_source(random)),
      hasher(config.accounts.hash_threads, config.accounts.hash_backlog, {},
             config.accounts.legacy_fixed_salt) {}

}  // namespace sluice
