#pragma once

#include <optional>

#include "adapters/sql/ledgers/archive.hpp"
#include "adapters/sql/ledgers/engine.hpp"

namespace sluice::ledgers {

/// Brings archived sales back into the ledger of a running server, for a write that needs them.
class ArchiveReturns {
  public:
    explicit ArchiveReturns(Writer& writer) : writer_(writer) {}
    virtual ~ArchiveReturns() = default;
    ArchiveReturns(const ArchiveReturns&) = delete;
    ArchiveReturns& operator=(const ArchiveReturns&) = delete;

    /// Awaits writer.write<T>(work); if it meets an archived sale, brings that back and tries
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

    /// Returns when the sale is in the ledger. Throws Outage or Overload.
    virtual Task<Done> bring_back(SaleId sale) = 0;

    Writer& writer_;
};

}  // namespace sluice::ledgers
