#include "main/sqlite_tier.hpp"

#include "base/run_to_end.hpp"

namespace sluice {

using namespace std::chrono_literals;

SqliteTier::SqliteTier(const Config& config, Store& store, Log& log)
    : ledger_(store.sqlite()),
      ledger_mark_(store.folder),
      // Units of lost orders must not be sold again: no sale opens until an operator has looked.
      loss_(ledger_mark_.find_loss()),
      auditor_([file = store.folder.database(), &clock = store.clock](std::optional<SaleId> sale) {
          return sqlite::audit(file, sale, clock.now());
      }),
      log_watch_([this] { return ledger_.log_bytes(); }, log),
      archive_watch_([this] { return ledger_.archive_state(); }, log),
      backups_(config.backup, store.folder, store.clock, log) {
    if (loss_) log.error("ledger.loss", {{"reason", *loss_}});
    run_to_end(archive_watch_.look());
}

void SqliteTier::employ(Keeper& keeper) {
    keeper.employ("log_watch", 1s, [this] { return log_watch_.look(); });
    keeper.employ("archive_watch", 2s, [this] { return archive_watch_.look(); });
    if (!loss_) keeper.employ("ledger_mark", 1s, [this] { return ledger_mark_.note(); });
}

void SqliteTier::add_metrics(MetricsPage& metrics) const {
    metrics.add_gauge("sluice_ledger_waiting_writes", "Writes that wait for the next transaction.",
                      [this] { return static_cast<double>(ledger_.waiting_writes()); });
    metrics.add_gauge("sluice_ledger_wal_bytes",
                      "Size of the database's write-ahead log; it grows while somebody reads.",
                      [this] { return static_cast<double>(ledger_.log_bytes()); });
    metrics.add_counter("sluice_ledger_reads_total", "Reads that the database was asked for.",
                        [this] { return static_cast<double>(ledger_.reads()); });
    metrics.add_counter("sluice_ledger_commits_total", "Transactions written and synced.",
                        [this] { return static_cast<double>(ledger_.commits()); });
    archive_watch_.add_metrics(metrics);
    backups_.add_metrics(metrics);
}

std::vector<api::PartHealth> SqliteTier::health() const {
    auto ledger = health_of(ledger_.health());
    if (loss_) ledger = {"ledger", false, {{NoticeRule::ledger_lost, *loss_}}};
    std::vector<api::PartHealth> parts{std::move(ledger), archive_watch_.health()};
    if (auto part = backups_.health()) parts.push_back(std::move(*part));
    return parts;
}

}  // namespace sluice
