#pragma once

#include "adapters/sqlite/upkeep/audit.hpp"
#include "adapters/sqlite/upkeep/log_watch.hpp"
#include "assembly/ledger_tier.hpp"
#include "main/archive_watch.hpp"
#include "main/backup_office.hpp"
#include "main/ledger_mark.hpp"
#include "main/store.hpp"

namespace sluice {

/// The ledger of embedded mode: one SQLite file, and what looks after it.
class SqliteTier final : public LedgerTier {
  public:
    SqliteTier(const Config& config, Store& store, Log& log);

    Ledgers& ledgers() override { return ledger_; }
    Auditor& auditor() override { return auditor_; }
    std::int64_t node() const override { return 0; }
    const std::optional<std::string>& loss() const override { return loss_; }

    bool is_time_proven() const override { return true; }

    std::optional<Backups> backups() const override { return backups_.state(); }

    void employ(Keeper& keeper) override;
    void add_metrics(MetricsPage& metrics) const override;
    std::vector<api::PartHealth> health() const override;

  private:
    sqlite::Ledger& ledger_;
    LedgerMark ledger_mark_;
    const std::optional<std::string> loss_;
    ledgers::LedgerAuditor auditor_;
    LogWatch log_watch_;
    ArchiveWatch archive_watch_;
    BackupOffice backups_;
};

}  // namespace sluice
