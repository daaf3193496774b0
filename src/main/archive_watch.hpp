#pragma once

#include "adapters/sqlite/ledger.hpp"
#include "api/office/machine_room.hpp"
#include "base/mutex.hpp"
#include "observe/log.hpp"
#include "observe/metrics.hpp"

namespace sluice {

/// Looks whether the rows of archived sales can be read. While they cannot, whoever asks for one
/// hears 503, and operators are told here.
class ArchiveWatch {
  public:
    ArchiveWatch(sqlite::Ledger& ledger, Log& log) : ledger_(ledger), log_(log) {}

    /// At the start, and every few seconds.
    Task<> look();

    /// From any thread.
    api::PartHealth health() const;
    void add_metrics(MetricsPage& metrics) const;

  private:
    ledgers::ArchiveState state() const;

    sqlite::Ledger& ledger_;
    Log& log_;
    mutable Mutex mutex_;
    ledgers::ArchiveState state_ GUARDED_BY(mutex_);
};

}  // namespace sluice
