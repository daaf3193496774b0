#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/catalog.hpp"
#include "base/mutex.hpp"
#include "observe/funnel_counts.hpp"
#include "ports/clock.hpp"
#include "ports/stats_ledger.hpp"
#include "ports/stock_gate.hpp"

namespace sluice {

/// What operators see of a sale while it runs, and its history. It gathers from the counts of the
/// event loops, the hot copy and the ledger, so that those who buy never wait for it, and writes
/// once a minute. A crash costs at most the last minute of what the loops have counted; orders are
/// counted with the orders themselves and are exact.
class SaleStats {
  public:
    /// Second points that may wait to be written; the next ones are given up.
    static constexpr std::size_t kMostWaiting = 8'192;
    /// Latency is that of so many seconds.
    static constexpr std::size_t kWindow = 10;
    /// A sale that nobody has asked for so long gives its place to others, once no order of it is
    /// pending or when places are scarce.
    static constexpr std::chrono::minutes kQuiet{10};

    /// `codes` names the refusals of the counts, by their place.
    SaleStats(FunnelCounts& counts, std::vector<std::string> codes, const Catalog& catalog,
              const StockGate& gate, StatsLedger& ledger, std::function<std::size_t()> backlog,
              const Clock& clock);

    // One caller, one at a time.

    /// More often than once a second: that is how old a figure may be. Writes when a minute is
    /// over. May throw Outage: nothing is lost by it, and the next call catches up.
    Task<> gather();
    /// Before the end: gathers and writes what is not written yet. May throw Outage.
    Task<> close();

    // From any thread.

    /// Of a sale in the catalog: the funnel is that of its whole life, `at` when it was gathered.
    /// Orders and stock are those of one commit.
    /// May throw Outage.
    Task<StatsPoint> show(std::shared_ptr<const DisplayedSale> sale);
    struct History {
        std::vector<StatsPoint> points;  // the earliest first
        Funnel total;  // of the whole life, up to the end of the latest point that is over
    };
    /// May throw Outage.
    Task<History> history(StatsLedger::Stretch stretch, std::size_t limit);
    std::uint64_t points_given_up() const { return given_up_.load(std::memory_order_relaxed); }

  private:
    /// What has been gathered in a stretch that is not over.
    struct Stretch {
        Timestamp began;
        Funnel funnel;
        LatencyCounts latency;
        bool empty = true;
    };
    struct Watched {
        std::size_t place = 0;
        Funnel total;
        Stock stock;  // as of the orders in total
        Stretch second, minute;
        std::array<LatencyCounts, kWindow> window{};
        std::size_t newest = 0;                // in the window
        std::optional<Timestamp> gathered_at;  // nothing before the first time
        Timestamp changed_at;
        bool unwritten = false;
    };

    Task<> welcome_newcomers(Timestamp now);
    bool is_watched(SaleId sale) const EXCLUDES(mutex_);
    std::vector<SaleId> watched() const EXCLUDES(mutex_);
    void take_in(SaleId sale, const SaleTally& tally, Timestamp now) REQUIRES(mutex_);
    std::int64_t new_claims(SaleId sale);
    Funnel increment(SaleId sale, Watched& watched, const OrderTally& tally,
                     LatencyCounts& latency);
    void end_seconds(Timestamp now) REQUIRES(mutex_);
    void end_minutes(Timestamp now) REQUIRES(mutex_);
    StatsPoint make_point(SaleId sale, const Stock& stock, const Stretch& stretch) const;
    /// Nothing of a sale that is watched but was not gathered yet.
    const Watched* find_gathered(SaleId sale) const REQUIRES(mutex_);
    Task<StatsPoint> show_unwatched(StatsPoint point);
    Task<> write();
    Task<> write_points(Resolution resolution);
    std::vector<StatsPoint>& waiting(Resolution resolution) REQUIRES(mutex_);
    Task<> write_totals();
    void forget_idle_sales(Timestamp now);

    FunnelCounts& counts_;
    const std::vector<std::string> codes_;
    const Catalog& catalog_;
    const StockGate& gate_;
    StatsLedger& ledger_;
    const std::function<std::size_t()> backlog_;
    const Clock& clock_;
    std::atomic<std::uint64_t> given_up_ = 0;

    // Of the caller of gather():
    std::vector<FunnelCounts::Counts> seen_;                // by place
    std::unordered_map<SaleId, std::int64_t> claims_seen_;  // of sales with a hot copy

    // Changed by the caller of gather() only:
    mutable Mutex mutex_;
    Timestamp second_began_ GUARDED_BY(mutex_);
    Timestamp minute_began_ GUARDED_BY(mutex_);
    std::unordered_map<SaleId, Watched> watched_ GUARDED_BY(mutex_);
    std::vector<StatsPoint> waiting_seconds_ GUARDED_BY(mutex_);
    std::vector<StatsPoint> waiting_minutes_ GUARDED_BY(mutex_);
};

}  // namespace sluice
