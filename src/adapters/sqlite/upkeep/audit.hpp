#pragma once

#include <filesystem>

#include "adapters/sqlite/engine/connection.hpp"
#include "base/worker_threads.hpp"
#include "ports/auditor.hpp"
#include "ports/clock.hpp"

namespace sluice::sqlite {

/// The most findings of one promise that a report lists.
inline constexpr std::size_t kMostFindings = 10'000;

/// I1 to I5 and I7 of the invariants, in one read transaction. A finding that was accepted at a
/// restore breaks nothing, but is named. Throws Error.
Outcome<AuditReport> audit(Database&, std::optional<SaleId> sale, Timestamp now);

/// The names of all promises, as reports have them.
std::vector<std::string> list_promises();

// Where a server notes the newest order on record, and where it keeps what it found out about a
// ledger that has lost its end, in a sentence. They say nothing about another ledger.
std::filesystem::path mark_file_of(const std::filesystem::path& database);
std::filesystem::path loss_file_of(const std::filesystem::path& database);

/// As above, for a file that nobody has opened yet, and which is left as it is. Throws SchemaError
/// or Outage.
Outcome<AuditReport> audit(const std::filesystem::path& file, std::optional<SaleId> sale,
                           Timestamp now);

/// Audits on a thread and a connection of its own, one at a time: nobody who buys waits for it.
class LedgerAuditor final : public Auditor {
  public:
    LedgerAuditor(std::filesystem::path file, const Clock& clock);

    Task<Outcome<AuditReport>> audit(std::optional<SaleId> sale) override;

  private:
    const std::filesystem::path file_;
    const Clock& clock_;
    WorkerThreads thread_;
};

}  // namespace sluice::sqlite
