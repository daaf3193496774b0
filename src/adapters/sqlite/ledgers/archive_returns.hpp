#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <utility>

#include "adapters/sqlite/engine/writer.hpp"
#include "adapters/sqlite/ledgers/archive_move.hpp"
#include "base/worker_threads.hpp"

namespace sluice::sqlite {

/// Brings archived sales back into the ledger of a server that sells: in steps of the writer, with
/// purchases between them. One sale at a time, on a thread of its own, which makes the plan.
class ArchiveReturns {
  public:
    ArchiveReturns(Writer& writer, std::filesystem::path ledger);
    /// Ends what is under way. What it has copied does not count.
    ~ArchiveReturns();

    /// Awaits writer.write<T>(work); when that meets an archived sale, brings it back and tries
    /// again. Throws as write() does, and Outage when the sale cannot be brought back.
    template <class T, class Work>
    Task<T> write(Work work) {
        for (int attempt = 0; attempt < kAttempts; ++attempt) {
            std::optional<SaleId> archived;
            try {
                co_return co_await writer_.write<T>(work);
            } catch (const InArchive& found) {
                archived = found.sale();
            }
            co_await bring_back(*archived);
        }
        throw Outage("the sale is archived again and again");
    }

  private:
    static constexpr int kAttempts = 3;

    Task<Done> bring_back(SaleId sale);
    void bring_back_now(SaleId sale);

    Writer& writer_;
    const std::filesystem::path ledger_;
    std::atomic<bool> stop_ = false;
    WorkerThreads thread_;  // last: its jobs end before what they use
};

}  // namespace sluice::sqlite
