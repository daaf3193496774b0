#pragma once

#include <functional>

#include "adapters/sql/ledgers/archive.hpp"
#include "api/office/machine_room.hpp"
#include "base/mutex.hpp"
#include "base/task.hpp"
#include "observe/log.hpp"
#include "observe/metrics.hpp"

namespace sluice {

/// Checks whether the rows of archived sales can be read. While they cannot, requests for such a
/// sale get 503, and operators are told here.
class ArchiveWatch {
  public:
    /// `look` asks a ledger for the present state.
    using Ask = std::function<Task<ledgers::ArchiveState>()>;

    ArchiveWatch(Ask ask, Log& log) : ask_(std::move(ask)), log_(log) {}

    /// At the start, and every few seconds.
    Task<> look();

    /// From any thread.
    api::PartHealth health() const;
    void add_metrics(MetricsPage& metrics) const;

  private:
    ledgers::ArchiveState state() const;

    const Ask ask_;
    Log& log_;
    mutable Mutex mutex_;
    ledgers::ArchiveState state_ GUARDED_BY(mutex_);
};

}  // namespace sluice
