#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/catalog/catalog.hpp"
#include "base/mutex.hpp"
#include "domain/buyer_news.hpp"
#include "observe/funnel_counts.hpp"
#include "ports/clock.hpp"
#include "ports/stats_ledger.hpp"
#include "ports/stock_gate.hpp"

namespace sluice {

/// What operators see of a sale while it runs, and its history. It gathers from the counts of the
/// event loops, the hot copy and the ledger, so that buyers never wait for it, and writes once a
/// minute. A crash loses at most the last minute of what the loops have counted; orders are counted
/// with the orders themselves and are exact.
///
/// Where several nodes sell, each writes its own figures, once a second, and shows the sum of all.
class SaleStats {
  public:
    /// Second points that may wait to be written; the next ones are given up.
    static constexpr std::size_t kMostWaiting = 8'192;
    /// Latencies are those of the last so many seconds.
    static constexpr std::size_t kWindow = 10;
    /// If nobody has asked for a sale for this long, it loses its place when it has no pending
    /// order, or earlier when places are scarce.
    static constexpr std::chrono::minutes kQuiet{10};

    /// The node that counts.
    struct Node {
        std::int64_t number = 0;
        bool has_others = false;  // other nodes count too
    };

    /// `codes` names the codes of refusals, in the order in which they are counted.
    SaleStats(FunnelCounts& counts, std::vector<std::string> codes, const Catalog& catalog,
              const StockGate& gate, StatsLedger& ledger, std::function<std::size_t()> backlog,
              const Clock& clock, Node node);

    // For one caller, one call at a time.

    /// To be called more often than once a second: that is how old a figure may be. Writes when a
    /// minute is over. May throw Outage: nothing is lost, and the next call catches up.
    Task<> gather();
    /// At the end: gathers and writes what is not written yet. May throw Outage.
    Task<> close();

    // From any thread.

    /// Takes what this node has committed: where other nodes commit too, the ledger does not say
    /// which node made an order. Does not wait.
    void note(std::span<const BuyerNews> news);

    /// The figures of a sale in the catalog: the funnel of its whole life, with the time `at` which
    /// it was gathered. Orders and stock are those of one commit. Figures of other nodes are those
    /// that they wrote a second or two ago; latencies are those of the slowest node. May throw
    /// Outage.
    Task<StatsPoint> show(std::shared_ptr<const DisplayedSale> sale);
    struct History {
        std::vector<StatsPoint> points;  // the earliest first
        Funnel total;  // of the whole life, up to the end of the latest point that is over
    };
    /// May throw Outage.
    Task<History> history(StatsLedger::Stretch stretch, std::size_t limit);
    std::uint64_t points_given_up() const { return given_up_.load(std::memory_order_relaxed); }

  private:
    /// What was gathered in a stretch that is not over.
    struct Stretch {
        Timestamp began;
        Funnel funnel;
        LatencyCounts latency;
        bool empty = true;
    };
    /// What other nodes have written, added up.
    struct Others {
        Funnel funnel;
        std::int64_t backlog = 0;
        LatencyPercentiles latency;
    };
    struct Watched {
        std::size_t place = 0;
        Funnel total;  // of this node
        Others others;
        OrderTally orders;  // of all nodes
        Stock stock;        // as of these orders
        Stretch second, minute;
        std::array<LatencyCounts, kWindow> window{};
        std::size_t newest = 0;                // in the window
        std::optional<Timestamp> gathered_at;  // nothing before the first gathering
        Timestamp changed_at;
        bool unwritten = false;
    };

    Task<> start_new_sales(Timestamp now);
    void make_room_for_noted();
    OrderTally take_noted(SaleId sale);
    std::unordered_map<SaleId, Others> sum_of_others(const std::vector<NodeTotals>& totals,
                                                     Timestamp now) const;
    bool is_watched(SaleId sale) const EXCLUDES(mutex_);
    std::vector<SaleId> watched() const EXCLUDES(mutex_);
    void gather_from(const std::vector<SaleId>& sales, const std::vector<SaleTally>& tallies,
                     const std::vector<NodeTotals>& totals, Timestamp now) REQUIRES(mutex_);
    void take_in(SaleId sale, const SaleTally& tally, Timestamp now) REQUIRES(mutex_);
    std::int64_t new_claims(SaleId sale);
    Funnel increment(SaleId sale, Watched& watched, const OrderTally& tally,
                     LatencyCounts& latency);
    void end_seconds(Timestamp now) REQUIRES(mutex_);
    void end_minutes(Timestamp now) REQUIRES(mutex_);
    static LatencyPercentiles latency_of(const Watched& watched);
    StatsPoint make_point(SaleId sale, const Stock& stock, const Stretch& stretch) const;
    /// nullptr for a watched sale that was not gathered yet.
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
    const Node node_;
    std::atomic<std::uint64_t> given_up_ = 0;

    // Used by the caller of gather() only:
    std::vector<FunnelCounts::Counts> seen_;                // by place
    std::unordered_map<SaleId, std::int64_t> claims_seen_;  // of sales with a hot copy

    Mutex noted_mutex_;
    std::unordered_map<SaleId, OrderTally> noted_ GUARDED_BY(noted_mutex_);

    // Changed by the caller of gather() only:
    mutable Mutex mutex_;
    Timestamp second_began_ GUARDED_BY(mutex_);
    Timestamp minute_began_ GUARDED_BY(mutex_);
    std::unordered_map<SaleId, Watched> watched_ GUARDED_BY(mutex_);
    std::vector<StatsPoint> waiting_seconds_ GUARDED_BY(mutex_);
    std::vector<StatsPoint> waiting_minutes_ GUARDED_BY(mutex_);
};

}  // namespace sluice
