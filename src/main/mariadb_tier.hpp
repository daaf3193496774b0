#pragma once

#include "adapters/mariadb/ledger.hpp"
#include "adapters/sql/ledgers/audit.hpp"
#include "assembly/ledger_tier.hpp"
#include "main/archive_watch.hpp"
#include "main/ledger_clock_watch.hpp"
#include "main/shared_keys.hpp"
#include "main/store.hpp"

namespace sluice {

/// The ledger of a shop on a MariaDB server, and what looks after it. Backups are up to those who
/// run that server.
class MariadbTier final : public LedgerTier {
  public:
    MariadbTier(const Config& config, Store& store, Log& log);

    Ledgers& ledgers() override { return ledger_; }
    Auditor& auditor() override { return auditor_; }
    std::int64_t node() const override { return node_.part; }
    const std::optional<std::string>& loss() const override { return loss_; }

    bool is_time_proven() const override { return !is_shared_ || clock_watch_.is_sure(); }

    std::optional<Backups> backups() const override { return std::nullopt; }

    void employ(Keeper& keeper) override;
    void add_metrics(MetricsPage& metrics) const override;
    std::vector<api::PartHealth> health() const override;

  private:
    /// A server that has lost its part of ids could make the ids of another one, so it ends.
    Task<> renew_node();

    mariadb::Ledger& ledger_;
    const std::optional<std::string> loss_;  // empty: the server itself recovers what it confirmed
    ledgers::LedgerAuditor auditor_;
    const bool is_shared_;  // used by several servers
    LedgerClockWatch clock_watch_;
    ArchiveWatch archive_watch_;
    const NodePart node_;
    Log& log_;
    std::optional<SharedPassKeys> pass_keys_;  // where several servers sell
};

}  // namespace sluice
