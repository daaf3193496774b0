#include "adapters/mariadb/ledger.hpp"

#include <set>
#include <tuple>

#include "adapters/mariadb/archive/archive_move.hpp"
#include "adapters/mariadb/engine/migrate.hpp"
#include "adapters/mariadb/engine/own_statements.hpp"
#include "adapters/mariadb/engine/server_settings.hpp"
#include "adapters/mariadb/ticket_set.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "base/outage.hpp"

namespace sluice::mariadb {
namespace {

/// Besides those for purchases and the readers: one for other work, one for an audit, and one for
/// the return of an archived sale.
constexpr std::size_t kOthers = 3;

std::vector<std::string> verify(const LedgerOptions& options) {
    Connection connection(options.address, kLongPatience);
    connection.connect();
    auto warnings = check_settings(connection, options.writers + options.readers + kOthers);
    verify_schema(connection);
    return warnings;
}

}  // namespace

ServerEngine::ServerEngine(const LedgerOptions& options)
    : warnings(verify(options)),
      writer(options.address,
             {.threads = options.writers,
              .batch = options.batch,
              .backlog = options.backlog,
              .clock = options.clock,
              .after_transaction = [this](bool committed) { news.conclude(committed); }}),
      readers(options.address, options.readers, options.backlog),
      returns(writer, [address = options.address](SaleId sale, const std::stop_token& stop) {
          return_sale(address, sale, stop);
      }) {}

Ledger::Ledger(const LedgerOptions& options) try
    : ServerEngine(options),
      LedgerSet({.writer = writer,
                 .readers = readers,
                 .news = news,
                 .returns = returns,
                 .write_tickets = mariadb::write_tickets,
                 .prepare_tickets = mariadb::prepare_tickets,
                 .find_tickets = mariadb::find_tickets}) {
} catch (const SchemaError& error) {
    throw SchemaError(options.address.text() + ": " + error.what());
} catch (const SettingsError& error) {
    throw SettingsError(options.address.text() + ": " + error.what());
} catch (const Error& error) {
    throw Outage(options.address.text() + ": " + error.what());
}

Task<ledgers::ArchiveState> Ledger::archive_state() {
    return readers.read<ledgers::ArchiveState>([](sql::Database& database) {
        return ledgers::ArchiveState{.sales = database.value<std::int64_t>(sql::count_archived),
                                     .complaint = ""};
    });
}

Task<std::chrono::milliseconds> Ledger::clock_difference(const Clock& ours) {
    return readers.read<std::chrono::milliseconds>([&ours](sql::Database& database) {
        return mariadb::clock_difference(dynamic_cast<Connection&>(database), ours);
    });
}

Task<std::optional<std::int64_t>> Ledger::lease_node(std::int64_t process) {
    return writer.write<std::optional<std::int64_t>>(
        [process](sql::Database& database) -> std::optional<std::int64_t> {
            std::set<std::int64_t> known;
            std::optional<std::int64_t> part;
            for (const auto& [taken, is_free] :
                 database.rows<std::tuple<std::int64_t, std::int64_t>>(own::list_nodes)) {
                known.insert(taken);
                if (is_free != 0 && !part) part = taken;
            }
            // A part that was never used is better: clocks differ, and ids begin with the time.
            for (std::int64_t fresh = 0; fresh < kMostNodes; ++fresh) {
                if (known.contains(fresh)) continue;
                part = fresh;
                break;
            }
            if (part) database.run(own::put_node, *part, process);
            return part;
        });
}

Task<bool> Ledger::renew_node(std::int64_t part, std::int64_t process) {
    return writer.write<bool>([part, process](sql::Database& database) {
        database.run(own::renew_node, part, process);
        return database.value<std::int64_t>(own::count_nodes, part, process) == 1;
    });
}

Task<std::optional<std::string>> Ledger::find_key(std::string name) {
    return readers.read<std::optional<std::string>>(
        [name = std::move(name)](sql::Database& database) {
            return database.row<std::string>(own::find_ledger_key, name);
        });
}

Task<std::string> Ledger::keep_key(std::string name, std::string offered) {
    auto known = co_await find_key(name);
    if (known) co_return std::move(*known);
    auto keep = [name = std::move(name), offered = std::move(offered)](sql::Database& database) {
        // Another server may have been first.
        auto present = database.row<std::string>(own::find_ledger_key, name);
        if (present) return *present;
        database.run(own::put_ledger_key, name, offered);
        return offered;
    };
    auto kept = co_await writer.write<std::string>(std::move(keep));
    co_return kept;
}

Task<bool> Ledger::replace_key(std::string name, std::string before, std::string after) {
    return writer.write<bool>([name = std::move(name), before = std::move(before),
                               after = std::move(after)](sql::Database& database) {
        if (database.row<std::string>(own::find_ledger_key, name) != before) return false;
        database.run(own::put_ledger_key, name, after);
        return true;
    });
}

}  // namespace sluice::mariadb
