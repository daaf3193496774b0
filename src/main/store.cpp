#include "main/store.hpp"

#include "adapters/sqlite/migrate.hpp"

namespace sluice {
namespace {

sqlite::LedgerOptions migrated(const DataFolder& folder, const Config& config) {
    sqlite::migrate(folder.database());
    return {.file = folder.database(),
            .batch = config.ledger.batch,
            .backlog = config.ledger.backlog,
            .readers = config.ledger.readers};
}

const std::filesystem::path& checked(const std::filesystem::path& data, Store::IfAbsent if_absent) {
    if (if_absent == Store::IfAbsent::fail) expect_database(data);
    return data;
}

}  // namespace

Store::Store(const Config& config, IfAbsent if_absent)
    : folder(checked(config.data, if_absent)),
      keys(load_keys(folder.path())),
      tokens(keys.sessions),
      ledger(migrated(folder, config)),
      ids(make_id_source(random)),
      hasher(config.accounts.hash_threads, config.accounts.hash_backlog, {},
             config.accounts.legacy_fixed_salt) {}

}  // namespace sluice
