#include "main/mariadb_tier.hpp"

#include <csignal>
#include <stdexcept>

#include "adapters/mariadb/audit.hpp"
#include "base/run_to_end.hpp"
#include "main/mariadb_address.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

/// Servers that sell the same sales need the same time.
void refuse_another_time(std::chrono::milliseconds server_is_ahead) {
    if (std::chrono::abs(server_is_ahead) <= LedgerClockWatch::kMost) return;
    const auto seconds = std::chrono::abs(server_is_ahead) / 1s;
    throw std::runtime_error(
        "the time of this node is " + std::to_string(seconds) + " s " +
        (server_is_ahead > 0ms ? "behind" : "ahead of") +
        " the clock of the database server, and nodes that sell the same sales need the same "
        "time. Synchronise both machines by NTP. If the clock of this machine is right now and the "
        "node goes on from an earlier time, start it with --trust-clock");
}

}  // namespace

MariadbTier::MariadbTier(const Config& config, Store& store, Log& log)
    : ledger_(store.mariadb()),
      auditor_(
          [address = mariadb_address(config), &clock = store.clock](std::optional<SaleId> sale) {
              return mariadb::audit(address, sale, clock.now());
          }),
      is_shared_(config.hot.kind == HotKind::redis),
      clock_watch_([this, &clock = store.clock] { return ledger_.clock_difference(clock); }, log),
      archive_watch_([this] { return ledger_.archive_state(); }, log),
      node_(store.node),
      log_(log) {
    run_to_end(clock_watch_.look());
    run_to_end(archive_watch_.look());
    if (is_shared_) {
        refuse_another_time(clock_watch_.difference());
        pass_keys_.emplace(ledger_, store.folder.path(), store.keys);
        pass_keys_->bring(store.random, store.clock.now());
    }
    for (const auto& warning : ledger_.settings_warnings())
        log.warn("ledger.settings", {{"reason", warning}});
}

void MariadbTier::employ(Keeper& keeper) {
    keeper.employ("ledger_clock", is_shared_ ? 2s : 30s, [this] { return clock_watch_.look(); });
    if (pass_keys_) keeper.employ("shared_pass_keys", 1s, [this] { return pass_keys_->look(); });
    keeper.employ("archive_watch", 2s, [this] { return archive_watch_.look(); });
    keeper.employ("node_lease", 1min, [this] { return renew_node(); });
}

Task<> MariadbTier::renew_node() {
    const bool is_ours = co_await ledger_.renew_node(node_.part, node_.process);
    if (is_ours) co_return;
    log_.error("node.part_lost", {{"part", node_.part},
                                  {"reason",
                                   "this server was not seen for minutes, and another "
                                   "one makes ids with this part now"}});
    std::raise(SIGTERM);
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
    archive_watch_.add_metrics(metrics);
}

std::vector<api::PartHealth> MariadbTier::health() const {
    return {health_of(ledger_.health()), archive_watch_.health()};
}

}  // namespace sluice
