#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "adapters/sql/ledgers/engine.hpp"
#include "base/worker_threads.hpp"
#include "ports/auditor.hpp"

namespace sluice::ledgers {

/// The most findings of one promise that a report lists.
inline constexpr std::size_t kMostFindings = 10'000;

/// What is audited, in one read transaction of the caller.
struct Audited {
    Database& ledger;
    Database* archive = nullptr;  // if there is one
    /// Finds what is wrong with the archived sales, of one or of all: rows that are missing or were
    /// changed since they were moved.
    std::function<std::vector<Notice>(std::optional<SaleId>)> find_archive_faults;
};

/// I1 to I5 and I7 of the invariants. A finding that was accepted at a restore breaks nothing, but
/// is reported. Throws StoreError.
Outcome<AuditReport> audit(const Audited& audited, std::optional<SaleId> sale, Timestamp now);

/// The names of all promises, as reports have them.
std::vector<std::string> list_promises();

/// Audits on a thread of its own, one at a time, so that no buyer waits for it.
class LedgerAuditor final : public Auditor {
  public:
    /// Called on that thread, with a connection of its own.
    using Audit = std::function<Outcome<AuditReport>(std::optional<SaleId>)>;

    explicit LedgerAuditor(Audit audit);

    Task<Outcome<AuditReport>> audit(std::optional<SaleId> sale) override;

  private:
    const Audit audit_;
    WorkerThreads thread_;
};

}  // namespace sluice::ledgers
