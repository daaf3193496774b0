#include "main/backup_office.hpp"

#include <algorithm>
#include <limits>

#include <pthread.h>

namespace sluice {
namespace {

constexpr std::chrono::minutes kTryAgain{5};

}  // namespace

BackupOffice::BackupOffice(const Config::Backup& config, const DataFolder& data, const Clock& clock,
                           Log& log)
    : config_(config),
      database_(data.database()),
      folder_(config.folder.empty() ? data.path() / "backups" : config.folder),
      clock_(clock),
      log_(log) {
    if (config_.every.count() == 0) return;
    thread_ = std::thread([this] {
        pthread_setname_np(pthread_self(), "backup");
        run();
    });
}

BackupOffice::~BackupOffice() {
    {
        const MutexLock lock(mutex_);
        stop_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void BackupOffice::add_metrics(MetricsPage& metrics) const {
    if (config_.every.count() == 0) return;
    metrics.add_gauge("sluice_backup_age_seconds",
                      "Since the newest proven backup was begun; infinite while there is none.",
                      [this] { return age_seconds(); });
    metrics.add_counter("sluice_backups_total", "Attempts to back up, by what came of them.",
                        [this] { return static_cast<double>(taken_); }, {{"outcome", "proven"}});
    metrics.add_counter("sluice_backups_total", "Attempts to back up, by what came of them.",
                        [this] { return static_cast<double>(failed_); }, {{"outcome", "failed"}});
}

std::optional<api::PartHealth> BackupOffice::health() const {
    if (config_.every.count() == 0) return std::nullopt;
    const MutexLock lock(mutex_);
    if (failure_.empty()) return api::PartHealth{"backup", true, {}};
    return api::PartHealth{"backup", true, {{NoticeRule::backup_failed, failure_}}};
}

std::optional<LedgerTier::Backups> BackupOffice::state() const {
    if (config_.every.count() == 0) return std::nullopt;
    const MutexLock lock(mutex_);
    return LedgerTier::Backups{config_.every, newest_};
}

void BackupOffice::run() {
    auto due = Steady::now() + until_first();
    for (;;) {
        {
            const MutexLock lock(mutex_);
            while (!stop_ && wake_.wait_until(mutex_, due)) continue;
        }
        if (stop_) return;
        try {
            back_up();
            due = Steady::now() + config_.every;
        } catch (const std::exception& failure) {
            if (stop_) return;
            note_failure(failure.what());
            due = Steady::now() + std::min<std::chrono::seconds>(config_.every, kTryAgain);
        }
    }
}

/// A restart neither delays the next backup nor brings it forward.
std::chrono::seconds BackupOffice::until_first() {
    try {
        shelf_ = std::make_unique<sqlite::BackupShelf>(folder_);
        const auto newest = shelf_->newest();
        const MutexLock lock(mutex_);
        newest_ = newest;
        if (!newest) return std::chrono::seconds{0};
        const auto age = std::chrono::floor<std::chrono::seconds>(clock_.now() - *newest);
        return std::clamp(config_.every - age, std::chrono::seconds{0}, config_.every);
    } catch (const std::exception& failure) {
        note_failure(failure.what());
        return std::min<std::chrono::seconds>(config_.every, kTryAgain);
    }
}

void BackupOffice::back_up() {
    if (!shelf_) shelf_ = std::make_unique<sqlite::BackupShelf>(folder_);
    const auto now = clock_.now();
    const auto begin = Steady::now();
    const auto taken = shelf_->take(database_, now, stop_);
    shelf_->prune(config_.keep);
    if (taken.broken)
        throw std::runtime_error(taken.file.filename().string() + " breaks a promise, " +
                                 *taken.broken);
    const std::chrono::duration<double> spent = Steady::now() - begin;
    {
        const MutexLock lock(mutex_);
        newest_ = now;
        failure_.clear();
    }
    ++taken_;
    log_.info("backup.taken", {{"file", taken.file.string()}, {"seconds", spent.count()}});
}

void BackupOffice::note_failure(const std::string& reason) {
    ++failed_;
    log_.error("backup.failed", {{"folder", folder_.string()}, {"reason", reason}});
    const MutexLock lock(mutex_);
    failure_ = reason;
}

double BackupOffice::age_seconds() const {
    const MutexLock lock(mutex_);
    if (!newest_) return std::numeric_limits<double>::infinity();
    const std::chrono::duration<double> age = clock_.now() - *newest_;
    return std::max(0.0, age.count());
}

}  // namespace sluice
