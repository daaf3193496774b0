#pragma once

#include <filesystem>
#include <functional>

#include "adapters/sql/ledgers/archive.hpp"
#include "adapters/sql/ledgers/archive_returns.hpp"
#include "adapters/sql/ledgers/ledger_set.hpp"
#include "adapters/sql/news.hpp"
#include "adapters/sqlite/engine/reader_pool.hpp"
#include "adapters/sqlite/engine/writer.hpp"

namespace sluice::sqlite {

struct LedgerOptions {
    std::filesystem::path file;
    std::size_t batch = 512;       // jobs in one transaction
    std::size_t backlog = 8'192;   // jobs waiting, for the writer and for the readers each
    std::size_t readers = 2;       // threads
    const Clock* clock = nullptr;  // what SQL takes for now; nullptr: the system's
    std::function<CheckpointPermit()> may_checkpoint = always_checkpoint;  // as WriterOptions
};

/// The threads and connections of one file. A class of its own, since the ledgers refer to them and
/// are made after them.
struct FileEngine {
    explicit FileEngine(const LedgerOptions& options);

    sql::News news;
    Writer writer;
    ReaderPool readers;
    ledgers::ArchiveReturns returns;
};

/// The system of record in one SQLite file. Other processes may use the same file at the same time.
class Ledger final : private FileEngine, public ledgers::LedgerSet {
  public:
    /// Throws SchemaError for a database that is not ours or not up to date, Outage when it
    /// cannot be opened.
    explicit Ledger(const LedgerOptions& options);

    /// Recovers by itself half a second after the disk does.
    LedgerHealth health() const override { return writer.health(); }
    std::size_t waiting_writes() const { return writer.waiting(); }
    std::uint64_t commits() const { return writer.commits(); }
    std::uint64_t reads() const { return readers.reads(); }
    std::uint64_t log_bytes() const { return writer.log_bytes(); }

    /// Whether archived sales can be read.
    Task<ledgers::ArchiveState> archive_state() {
        return readers.read<ledgers::ArchiveState>(ledgers::look_at_archive);
    }

  private:
    // On the writer's thread, at most half a second after the commit.
    void set_external_change_callback(std::function<void()> callback) override {
        writer.on_external_change(std::move(callback));
    }
};

}  // namespace sluice::sqlite
