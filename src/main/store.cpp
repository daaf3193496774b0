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

/// Processes that work on one store at the same time must not make the same ids; one node of an
/// installation is as good a random number as any.
std::uint32_t random_node(Random& random) {
    std::array<unsigned char, 2> bytes;
    random.fill(bytes);
    return static_cast<std::uint32_t>(bytes[0] << 8 | bytes[1]);
}

}  // namespace

Store::Store(const Config& config, IfAbsent if_absent)
    : folder(checked(config.data, if_absent)),
      keys(load_keys(folder.path())),
      tokens(keys.sessions),
      ledger(migrated(folder, config)),
      ids(random_node(random)),
      hasher(config.accounts.hash_threads, config.accounts.hash_backlog, {},
             config.accounts.legacy_fixed_salt) {}

}  // namespace sluice
