#include "main/archive_watch.hpp"

namespace sluice {

Task<> ArchiveWatch::look() {
    auto seen = co_await ask_();
    const auto before = state();
    if (!seen.complaint.empty() && seen.complaint != before.complaint)
        log_.error("archive.away", {{"reason", seen.complaint}, {"sales", seen.sales}});
    if (seen.complaint.empty() && !before.complaint.empty())
        log_.info("archive.back", {{"sales", seen.sales}});
    const MutexLock lock(mutex_);
    state_ = std::move(seen);
}

api::PartHealth ArchiveWatch::health() const {
    const auto now = state();
    if (now.complaint.empty()) return {"archive", true, {}};
    return {"archive", false, {{NoticeRule::archive_fails, now.complaint}}};
}

void ArchiveWatch::add_metrics(MetricsPage& metrics) const {
    metrics.add_gauge("sluice_archived_sales", "Sales whose rows are in the archive.",
                      [this] { return static_cast<double>(state().sales); });
    metrics.add_gauge(
        "sluice_archived_sales_unreadable",
        "Archived sales whose rows cannot be read, such as while archive.db is missing.", [this] {
            const auto now = state();
            return now.complaint.empty() ? 0.0 : static_cast<double>(now.sales);
        });
}

ledgers::ArchiveState ArchiveWatch::state() const {
    const MutexLock lock(mutex_);
    return state_;
}

}  // namespace sluice
