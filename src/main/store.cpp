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

/// Processes that work on one store at the same time must not make the same ids; one node of an
/// installation is as good a random number as any.
std::uint32_t random_node(Random& random) {
    std::array<unsigned char, 2> bytes;
    random.fill(bytes);
    return static_cast<std::uint32_t>(bytes[0] << 8 | bytes[1]);
}

}  // namespace

Store::Store(const Config& config, bool trust_clock)
    : folder(config.data),
      clock(clock_options(folder, config, trust_clock)),
      keys(load_keys(folder.path())),
      tokens(keys.sessions),
      ledger(migrated(folder, config, clock)),
      ids(random_node(random)),
      hasher(config.accounts.hash_threads, config.accounts.hash_backlog, {},
             config.accounts.legacy_fixed_salt) {}

}  // namespace sluice
