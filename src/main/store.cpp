#include "main/store.hpp"

#include "adapters/sqlite/migrate.hpp"

namespace sluice {
namespace {

ShopClock::Options clock_options(const DataFolder& folder, const Config& config, bool trust) {
    ShopClock::Options options{.note = folder.clock_note(), .rules = {}, .trust_wall = trust};
    options.rules.patience = std::chrono::seconds{config.clock.patience_seconds};
    return options;
}

sqlite::LedgerOptions migrated(const DataFolder& folder, const Config& config, const Clock& clock) {
    sqlite::migrate(folder.database());
    return {.file = folder.database(),
            .batch = config.ledger.batch,
            .backlog = config.ledger.backlog,
            .readers = config.ledger.readers,
            .clock = &clock};
}

}  // namespace

Store::Store(const Config& config, bool trust_clock)
    : folder(config.data),
      clock(clock_options(folder, config, trust_clock)),
      keys(load_keys(folder.path())),
      tokens(keys.sessions),
      ledger(migrated(folder, config, clock)),
      ids(make_id_source(random)),
      hasher(config.accounts.hash_threads, config.accounts.hash_backlog, {},
             config.accounts.legacy_fixed_salt) {}

}  // namespace sluice
