#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "adapters/sqlite/upkeep/backup_shelf.hpp"
#include "api/office/machine_room.hpp"
#include "assembly/ledger_tier.hpp"
#include "base/condition.hpp"
#include "base/mutex.hpp"
#include "config/config.hpp"
#include "main/data_folder.hpp"
#include "observe/log.hpp"
#include "observe/metrics.hpp"
#include "ports/clock.hpp"

namespace sluice {

/// Backs the database up on a schedule, on a thread of its own beside the writer, if the
/// configuration asks for it. A backup that fails is tried again; selling never waits for it.
class BackupOffice {
  public:
    BackupOffice(const Config::Backup& config, const DataFolder& data, const Clock& clock,
                 Log& log);
    /// Ends a backup that is under way.
    ~BackupOffice();
    BackupOffice(const BackupOffice&) = delete;
    BackupOffice& operator=(const BackupOffice&) = delete;

    void add_metrics(MetricsPage& metrics) const;

    /// Always ready: the shop sells without backups. The detail says why there is no recent one.
    /// Nothing when backups are off.
    std::optional<api::PartHealth> health() const;

    /// Nothing when backups are off.
    std::optional<LedgerTier::Backups> state() const;

  private:
    using Steady = std::chrono::steady_clock;

    void run();
    void back_up();
    std::chrono::seconds until_first();
    void note_failure(const std::string& reason);
    double age_seconds() const;

    const Config::Backup config_;
    const std::filesystem::path database_;
    const std::filesystem::path folder_;
    const Clock& clock_;
    Log& log_;

    // Used by the thread only:
    std::unique_ptr<sqlite::BackupShelf> shelf_;

    std::atomic<bool> stop_ = false;
    std::atomic<std::uint64_t> taken_ = 0, failed_ = 0;
    mutable Mutex mutex_;
    Condition wake_;
    std::optional<Timestamp> newest_ GUARDED_BY(mutex_);  // of those that are proven
    std::string failure_ GUARDED_BY(mutex_);              // of the last attempt
    std::thread thread_;
};

}  // namespace sluice
