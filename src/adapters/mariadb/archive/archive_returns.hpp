#pragma once

#include <atomic>

#include "adapters/mariadb/engine/writer_group.hpp"
#include "adapters/sql/ledgers/archive_returns.hpp"
#include "base/worker_threads.hpp"

namespace sluice::mariadb {

/// Brings sales back in steps of the writer, with other work in between. One sale at a time, on a
/// thread of its own with a connection that holds the archive's lock.
class ArchiveReturns final : public ledgers::ArchiveReturns {
  public:
    ArchiveReturns(WriterGroup& writer, ServerAddress address);
    /// Ends what is under way. What it has copied does not count.
    ~ArchiveReturns() override;

  private:
    Task<Done> bring_back(SaleId sale) override;
    void bring_back_now(SaleId sale);

    WriterGroup& writer_;
    const ServerAddress address_;
    std::atomic<bool> stop_ = false;
    WorkerThreads thread_;  // last: its jobs end before what they use
};

}  // namespace sluice::mariadb
