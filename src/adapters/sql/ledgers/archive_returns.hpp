#pragma once

#include <functional>
#include <optional>
#include <stop_token>

#include "adapters/sql/ledgers/archive.hpp"
#include "adapters/sql/ledgers/engine.hpp"
#include "base/worker_threads.hpp"

namespace sluice::ledgers {

/// Brings archived sales back into the ledger of a server that sells, for a write that needs them:
/// one sale at a time, on a thread of its own.
class ArchiveReturns {
  public:
    /// An engine's way: returns when the sale is in the ledger. Throws Outage when the token asks
    /// it to stop, StoreError or ArchiveError when it cannot be done. What it has copied until then
    /// does not count.
    using BringBack = std::function<void(SaleId sale, const std::stop_token& stop)>;

    ArchiveReturns(Writer& writer, BringBack bring_back);
    /// Ends what is under way.
    ~ArchiveReturns();
    ArchiveReturns(const ArchiveReturns&) = delete;
    ArchiveReturns& operator=(const ArchiveReturns&) = delete;

    /// Awaits writer.write<T>(work); if it meets an archived sale, brings that back and tries
    /// again. Throws as write() does, and Outage when the sale cannot be brought back.
    template <class T, class Work>
    Task<T> write(Work work) {
        return repeat<T>([this, work = std::move(work)] { return writer_.write<T>(work); });
    }

    /// The same for an attempt, a function that returns a Task<T> and may be called again.
    template <class T, class Attempt>
    Task<T> repeat(Attempt attempt) {
        for (int tries = 0; tries < kTries; ++tries) {
            std::optional<SaleId> archived;
            try {
                co_return co_await attempt();
            } catch (const InArchive& found) {
                archived = found.sale();
            }
            co_await bring_back(*archived);
        }
        throw Outage("the sale is archived again and again");
    }

  private:
    static constexpr int kTries = 3;

    /// Ends when the sale is in the ledger. Throws Outage or Overload.
    Task<Done> bring_back(SaleId sale);

    Writer& writer_;
    const BringBack bring_back_;
    std::stop_source stop_;
    WorkerThreads thread_;  // last: its jobs end before what they use
};

}  // namespace sluice::ledgers
