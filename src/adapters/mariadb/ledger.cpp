#include "adapters/mariadb/ledger.hpp"

#include "adapters/mariadb/engine/migrate.hpp"
#include "adapters/mariadb/engine/server_settings.hpp"
#include "adapters/mariadb/ticket_set.hpp"
#include "base/outage.hpp"

namespace sluice::mariadb {
namespace {

static_assert(Patience{}.answer + Patience{}.connect <= OrderIntake::kLongestWait);

/// Besides those for purchases and the readers: the one for other work, and an audit.
constexpr std::size_t kOthers = 2;

std::vector<std::string> verify(const LedgerOptions& options) {
    Connection connection(options.address, kLongPatience);
    connection.connect();
    auto warnings = check_settings(connection, options.writers + options.readers + kOthers);
    verify_schema(connection);
    return warnings;
}

}  // namespace

Task<Done> NoArchive::bring_back(SaleId sale) {
    throw Outage("sale " + sale.text() + " is archived, and there is no archive on MariaDB");
    co_return Done{};
}

ServerEngine::ServerEngine(const LedgerOptions& options)
    : warnings(verify(options)),
      writer(options.address,
             {.threads = options.writers,
              .batch = options.batch,
              .backlog = options.backlog,
              .clock = options.clock,
              .after_transaction = [this](bool committed) { news.conclude(committed); }}),
      readers(options.address, options.readers, options.backlog),
      returns(writer) {}

Ledger::Ledger(const LedgerOptions& options) try
    : ServerEngine(options),
      LedgerSet({.writer = writer,
                 .readers = readers,
                 .news = news,
                 .returns = returns,
                 .write_tickets = mariadb::write_tickets}) {
} catch (const SchemaError& error) {
    throw SchemaError(options.address.text() + ": " + error.what());
} catch (const SettingsError& error) {
    throw SettingsError(options.address.text() + ": " + error.what());
} catch (const Error& error) {
    throw Outage(options.address.text() + ": " + error.what());
}

Task<std::chrono::milliseconds> Ledger::clock_difference() {
    return readers.read<std::chrono::milliseconds>([](sql::Database& database) {
        return mariadb::clock_difference(dynamic_cast<Connection&>(database));
    });
}

}  // namespace sluice::mariadb
