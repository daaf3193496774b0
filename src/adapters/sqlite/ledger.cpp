#include "adapters/sqlite/ledger.hpp"

#include "adapters/sql/ledgers/journal.hpp"
#include "adapters/sql/ledgers/ticket_writer.hpp"
#include "adapters/sql/ledgers/tickets.hpp"
#include "adapters/sqlite/archive/archive_returns.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/sqlite/engine/now.hpp"
#include "base/outage.hpp"

namespace sluice::sqlite {
namespace {

Database open_verified(const LedgerOptions& options) {
    {
        // Checked through a reader, which cannot change a file that is not ours.
        auto database = Database::open_reader(options.file);
        verify_schema(database);
    }
    auto database = Database::open_writer(options.file);
    if (options.clock) use_as_now(database, *options.clock);
    return database;
}

}  // namespace

FileEngine::FileEngine(const LedgerOptions& options)
    : writer(open_verified(options),
             {.batch = options.batch,
              .backlog = options.backlog,
              .may_checkpoint = options.may_checkpoint,
              .after_transaction = [this](bool committed) { news.conclude(committed); }}),
      readers(options.file, options.readers, options.backlog),
      returns(writer, [this, file = options.file](SaleId sale, const std::stop_token& stop) {
          return_by_writer(writer, file, sale, stop);
      }) {}

Ledger::Ledger(const LedgerOptions& options) try
    : FileEngine(options),
      LedgerSet({.writer = writer,
                 .readers = readers,
                 .news = news,
                 .returns = returns,
                 .write_tickets = ledgers::write_tickets,
                 .prepare_tickets = ledgers::prepare_tickets,
                 .find_tickets = ledgers::find_tickets}) {
} catch (const SchemaError& error) {
    throw SchemaError(options.file.string() + ": " + error.what());
} catch (const Error& error) {
    throw Outage(options.file.string() + ": " + error.what());
}

}  // namespace sluice::sqlite
