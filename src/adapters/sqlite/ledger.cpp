#include "adapters/sqlite/ledger.hpp"

#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/sqlite/engine/now.hpp"
#include "base/outage.hpp"

namespace sluice::sqlite {
namespace {

Database open_verified(const LedgerOptions& options) {
    {
        // Looked at through a reader, which cannot change a file that is not ours.
        auto database = Database::open_reader(options.file);
        verify_schema(database);
    }
    auto database = Database::open_writer(options.file);
    if (options.clock) use_as_now(database, *options.clock);
    return database;
}

}  // namespace

Ledger::Ledger(const LedgerOptions& options) try
    : writer_(open_verified(options),
              {.batch = options.batch,
               .backlog = options.backlog,
               .may_checkpoint = options.may_checkpoint,
               .after_transaction = [this](bool committed) { conclude(committed); }}),
      readers_(options.file, options.readers, options.backlog),
      returns_(writer_, options.file) {
} catch (const SchemaError& error) {
    throw SchemaError(options.file.string() + ": " + error.what());
} catch (const Error& error) {
    throw Outage(options.file.string() + ": " + error.what());
}

void Ledger::set_commit_callback(std::function<void()> callback) {
    const MutexLock lock(commit_mutex_);
    commit_callback_ = std::move(callback);
}

void Ledger::conclude(bool committed) {
    news_.conclude(committed);
    if (!committed) return;
    const MutexLock lock(commit_mutex_);
    if (commit_callback_) commit_callback_();
}

}  // namespace sluice::sqlite
