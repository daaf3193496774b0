#pragma once

#include <atomic>
#include <filesystem>

#include "adapters/sql/ledgers/archive_returns.hpp"
#include "adapters/sqlite/archive/archive_move.hpp"
#include "adapters/sqlite/engine/writer.hpp"
#include "base/worker_threads.hpp"

namespace sluice::sqlite {

/// Brings sales back in steps of the writer, with purchases in between. One sale at a time, on a
/// thread of its own, which makes the plan.
class ArchiveReturns final : public ledgers::ArchiveReturns {
  public:
    ArchiveReturns(Writer& writer, std::filesystem::path ledger);
    /// Ends what is under way. What it has copied does not count.
    ~ArchiveReturns() override;

  private:
    Task<Done> bring_back(SaleId sale) override;
    void bring_back_now(SaleId sale);

    Writer& writer_;
    const std::filesystem::path ledger_;
    std::atomic<bool> stop_ = false;
    WorkerThreads thread_;  // last: its jobs end before what they use
};

}  // namespace sluice::sqlite
