#include "main/mariadb_tier.hpp"

#include "adapters/mariadb/audit.hpp"
#include "main/mariadb_address.hpp"

namespace sluice {

using namespace std::chrono_literals;

MariadbTier::MariadbTier(const Config& config, Store& store, Log& log)
    : ledger_(store.mariadb()),
      auditor_(
          [address = mariadb_address(config), &clock = store.clock](std::optional<SaleId> sale) {
              return mariadb::audit(address, sale, clock.now());
          }),
      clock_watch_([this] { return ledger_.clock_difference(); }, log) {
    for (const auto& warning : ledger_.settings_warnings())
        log.warn("ledger.settings", {{"reason", warning}});
}

void MariadbTier::employ(Keeper& keeper) {
    keeper.employ("ledger_clock", 30s, [this] { return clock_watch_.look(); });
}

void MariadbTier::add_metrics(MetricsPage& metrics) const {
    metrics.add_gauge("sluice_ledger_waiting_writes", "Writes that wait for the next transaction.",
                      [this] { return static_cast<double>(ledger_.waiting_writes()); });
    metrics.add_counter("sluice_ledger_reads_total", "Reads that the database was asked for.",
                        [this] { return static_cast<double>(ledger_.reads()); });
    metrics.add_counter("sluice_ledger_commits_total", "Transactions written and synced.",
                        [this] { return static_cast<double>(ledger_.commits()); });
    metrics.add_counter("sluice_ledger_retries_total",
                        "Transactions that were undone for the sake of others and run again.",
                        [this] { return static_cast<double>(ledger_.retries()); });
    clock_watch_.add_metrics(metrics);
}

std::vector<api::PartHealth> MariadbTier::health() const {
    const auto ledger = ledger_.health();
    return {{"ledger", ledger.ok, ledger.detail}};
}

}  // namespace sluice
