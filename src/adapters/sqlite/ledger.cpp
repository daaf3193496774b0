#include "adapters/sqlite/ledger.hpp"

#include "adapters/sqlite/migrate.hpp"
#include "base/outage.hpp"

namespace sluice::sqlite {
namespace {

Database open_verified(const std::filesystem::path& file) {
    {
        // Looked at through a reader, which cannot change a file that is not ours.
        auto database = Database::open_reader(file);
        verify_schema(database);
    }
    return Database::open_writer(file);
}

}  // namespace

Ledger::Ledger(const LedgerOptions& options) try
    : writer_(open_verified(options.file),
              {.batch = options.batch,
               .backlog = options.backlog,
               .after_transaction = [this](bool committed) { news_.conclude(committed); }}),
      readers_(options.file, options.readers, options.backlog) {
} catch (const SchemaError& error) {
    throw SchemaError(options.file.string() + ": " + error.what());
} catch (const Error& error) {
    throw Outage(options.file.string() + ": " + error.what());
}

}  // namespace sluice::sqlite
