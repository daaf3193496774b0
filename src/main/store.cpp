#include "main/store.hpp"

#include <array>
#include <bit>

#include "adapters/mariadb/engine/migrate.hpp"
#include "adapters/sqlite/engine/archive_file.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
#include "base/check.hpp"
#include "base/run_to_end.hpp"
#include "main/mariadb_address.hpp"
#include "main/shared_keys.hpp"
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
        // The shop sells without its archive. Requests for archived sales are told what is wrong
        // with it.
    }
    return {.file = folder.database(),
            .batch = config.ledger.batch,
            .backlog = config.ledger.backlog,
            .readers = config.ledger.readers,
            .clock = &clock,
            .may_checkpoint = std::move(may_checkpoint)};
}

std::unique_ptr<sqlite::Ledger> open_sqlite(const DataFolder& folder, const Config& config,
                                            const Clock& clock,
                                            std::function<sqlite::CheckpointPermit()> permit) {
    if (config.ledger.kind != LedgerKind::sqlite) return nullptr;
    return std::make_unique<sqlite::Ledger>(migrated(folder, config, clock, std::move(permit)));
}

std::unique_ptr<mariadb::Ledger> open_mariadb(const Config& config, const Clock& clock) {
    if (config.ledger.kind != LedgerKind::mariadb) return nullptr;
    auto address = mariadb_address(config);
    mariadb::migrate(address);
    return std::make_unique<mariadb::Ledger>(
        mariadb::LedgerOptions{.address = std::move(address),
                               .batch = config.ledger.batch,
                               .backlog = config.ledger.backlog,
                               .writers = config.ledger.writers,
                               .readers = config.ledger.readers,
                               .clock = &clock});
}

constexpr std::int64_t kPartsOfServers = mariadb::Ledger::kMostNodes;

/// The ledger has to exist already, unless the command may make it.
void prepare_ledger(const Config& config, Store::IfAbsent if_absent) {
    if (config.ledger.kind == LedgerKind::sqlite) finish_restore(config.data);
    if (if_absent == Store::IfAbsent::make) return;
    expect_ledger(config);
    expect_folder(config.data);
}

/// For a command, before it changes anything. Without a server the command checkpoints, so that the
/// log does not grow without limit.
auto when_no_server_runs(const Config& config, Store::IfAbsent if_absent) {
    prepare_ledger(config, if_absent);
    return [folder = DataFolder(config.data)]() -> sqlite::CheckpointPermit {
        return ServerLock::try_take(folder);
    };
}

/// Points to the lock, which outlives the store.
auto by_right_of(const ServerLock& lock) {
    return [&lock]() -> sqlite::CheckpointPermit { return {&lock, [](const void*) {}}; };
}

}  // namespace

bool has_ledger(const Config& config) {
    if (config.ledger.kind == LedgerKind::sqlite) return has_database(config.data);
    return mariadb::has_ledger(mariadb_address(config));
}

void expect_ledger(const Config& config) {
    if (config.ledger.kind == LedgerKind::sqlite) return expect_database(config.data);
    if (has_ledger(config)) return;
    throw DataError("there is no ledger at " + mariadb_address(config).text() +
                    "; make it with sluice migrate, or name another with ledger.url");
}

Store::Store(const Config& config, IfAbsent if_absent)
    : Store(config, when_no_server_runs(config, if_absent), For::command, false) {}

Store::Store(const Config& config, const ServerLock& lock, bool trust_clock)
    : Store(config, by_right_of(lock), For::server, trust_clock) {}

Store::Store(const Config& config, MayCheckpoint may_checkpoint, For whom, bool trust_clock)
    : folder(config.data),
      clock(clock_options(folder, config, trust_clock)),
      keys(load_keys(folder.path())),
      tokens(keys.sessions),
      sqlite_(open_sqlite(folder, config, clock, std::move(may_checkpoint))),
      mariadb_(open_mariadb(config, clock)),
      ledger(sqlite_ ? static_cast<Ledgers&>(*sqlite_) : *mariadb_),
      node(draw_node_part(config, whom)),
      ids(static_cast<std::uint32_t>(node.part)),
      hasher(config.accounts.hash_threads, config.accounts.hash_backlog, {},
             config.accounts.legacy_fixed_salt) {}

NodePart Store::draw_node_part(const Config& config, For whom) {
    // Where stock is shared, several servers use the ledger, so a server of another shop gets no
    // part.
    if (mariadb_ && config.hot.kind == HotKind::redis)
        expect_same_master_key(*mariadb_, keys, folder.path(), mariadb_address(config).text());
    if (whom == For::command) return {.part = draw_part_of_command(random)};
    std::array<unsigned char, 8> bytes;
    random.fill(bytes);
    const auto drawn = std::bit_cast<std::int64_t>(bytes);
    if (!mariadb_) return {.part = drawn & (kPartsOfServers - 1), .process = drawn};
    const auto part = run_to_end(mariadb_->lease_node(drawn));
    if (!part)
        throw DataError("as many servers as there may be, " + std::to_string(kPartsOfServers) +
                        ", have used this ledger within five minutes, restarts included; wait, "
                        "and find out what restarts them");
    return {.part = *part, .process = drawn};
}

sqlite::Ledger& Store::sqlite() {
    CHECK(sqlite_, "the ledger is of this kind");
    return *sqlite_;
}

mariadb::Ledger& Store::mariadb() {
    CHECK(mariadb_, "the ledger is of this kind");
    return *mariadb_;
}

}  // namespace sluice
