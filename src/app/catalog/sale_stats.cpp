#include "app/catalog/sale_stats.hpp"

#include <algorithm>
#include <map>

namespace sluice {
namespace {

using std::chrono::floor;

/// Small enough that a purchase waits only for a moment behind one.
constexpr std::size_t kAtOnce = 500;

LatencyPercentiles percentiles(const LatencyCounts& counts) {
    return {.p50 = counts.percentile(50),
            .p90 = counts.percentile(90),
            .p99 = counts.percentile(99),
            .p999 = counts.percentile(99.9)};
}

/// Whether the two times are in different seconds, or minutes.
template <class Unit>
bool differ(Timestamp a, Timestamp b) {
    return floor<Unit>(a) != floor<Unit>(b);
}

OrderTally difference(const OrderTally& now, const OrderTally& before) {
    return {.orders = now.orders - before.orders,
            .paid = now.paid - before.paid,
            .expired = now.expired - before.expired};
}

void count(OrderTally& tally, OrderState became) {
    if (became == OrderState::pending) ++tally.orders;
    if (became == OrderState::paid) ++tally.paid;
    if (became == OrderState::expired) ++tally.expired;
}

}  // namespace

SaleStats::SaleStats(FunnelCounts& counts, std::vector<std::string> codes, const Catalog& catalog,
                     const StockGate& gate, StatsLedger& ledger,
                     std::function<std::size_t()> backlog, const Clock& clock, Node node)
    : counts_(counts),
      codes_(std::move(codes)),
      catalog_(catalog),
      gate_(gate),
      ledger_(ledger),
      backlog_(std::move(backlog)),
      clock_(clock),
      node_(node),
      // The process starts in the middle of a second and a minute: what was written of them before
      // stays a separate point.
      second_began_(clock.now()),
      minute_began_(second_began_) {
    for (std::size_t place = 0; place < FunnelCounts::kPlaces; ++place)
        seen_.push_back(counts_.read(place));
}

void SaleStats::note(std::span<const BuyerNews> news) {
    if (!node_.has_others) return;
    const MutexLock lock(noted_mutex_);
    for (const auto& each : news)
        if (const auto* order = std::get_if<Order>(&each.what))
            count(noted_[order->sale_id], order->state);
}

Task<> SaleStats::gather() {
    make_room_for_noted();
    co_await start_new_sales(clock_.now());
    const auto sales = watched();
    const auto tallies = co_await ledger_.tallies(sales);
    std::vector<NodeTotals> totals;
    if (node_.has_others) totals = co_await ledger_.totals(sales);
    const auto now = clock_.now();
    bool is_time_to_write = false;
    {
        const MutexLock lock(mutex_);
        gather_from(sales, tallies, totals, now);
        const bool second_is_over = differ<std::chrono::seconds>(second_began_, now);
        const bool minute_is_over = differ<std::chrono::minutes>(minute_began_, now);
        is_time_to_write = node_.has_others ? second_is_over : minute_is_over;
        if (second_is_over) end_seconds(now);
        if (minute_is_over) end_minutes(now);
    }
    if (is_time_to_write) co_await write();
}

/// A node may expire orders of a sale that nobody asked this node about.
void SaleStats::make_room_for_noted() {
    const MutexLock lock(noted_mutex_);
    std::erase_if(noted_, [&](const auto& entry) { return !counts_.take(entry.first.value); });
}

void SaleStats::gather_from(const std::vector<SaleId>& sales, const std::vector<SaleTally>& tallies,
                            const std::vector<NodeTotals>& totals, Timestamp now) {
    auto others = sum_of_others(totals, now);
    for (std::size_t i = 0; i < sales.size(); ++i) {
        if (node_.has_others) watched_.at(sales[i]).others = std::move(others[sales[i]]);
        take_in(sales[i], tallies[i], now);
    }
}

std::unordered_map<SaleId, SaleStats::Others> SaleStats::sum_of_others(
    const std::vector<NodeTotals>& totals, Timestamp now) const {
    std::unordered_map<SaleId, Others> others;
    for (const auto& each : totals) {
        if (each.node == node_.number) continue;
        auto& sum = others[each.sale];
        add(sum.funnel, each.funnel);
        // A node without new figures writes nothing.
        if (now - each.at > std::chrono::seconds{kWindow}) continue;
        sum.backlog += each.backlog;
        sum.latency = slower_of(sum.latency, each.latency);
    }
    return others;
}

Task<> SaleStats::close() {
    co_await gather();
    {
        const MutexLock lock(mutex_);
        end_seconds(clock_.now());
        end_minutes(clock_.now());
    }
    co_await write();
}

/// A sale that is newly watched starts with the totals of its stored history. What happened to its
/// orders since then is added by the next gathering.
Task<> SaleStats::start_new_sales(Timestamp now) {
    for (std::size_t place = 0; place < FunnelCounts::kPlaces; ++place) {
        const SaleId sale{counts_.sale_at(place)};
        if (sale.value == 0 || is_watched(sale)) continue;
        Watched newcomer;
        newcomer.place = place;
        std::vector<SaleId> one{sale};
        const auto totals = co_await ledger_.totals(std::move(one));
        for (const auto& each : totals)
            if (each.node == node_.number) newcomer.total = each.funnel;
        newcomer.others = std::move(sum_of_others(totals, now)[sale]);
        newcomer.changed_at = now;
        const MutexLock lock(mutex_);
        newcomer.second.began = second_began_;
        newcomer.minute.began = minute_began_;
        watched_.emplace(sale, std::move(newcomer));
    }
}

bool SaleStats::is_watched(SaleId sale) const {
    const MutexLock lock(mutex_);
    return watched_.contains(sale);
}

std::vector<SaleId> SaleStats::watched() const {
    std::vector<SaleId> sales;
    const MutexLock lock(mutex_);
    for (const auto& [sale, watched] : watched_) sales.push_back(sale);
    return sales;
}

void SaleStats::take_in(SaleId sale, const SaleTally& tally, Timestamp now) {
    auto& watched = watched_.at(sale);
    watched.gathered_at = now;
    watched.orders = tally.orders;
    watched.stock = tally.stock;
    LatencyCounts latency;
    const auto more = increment(sale, watched, tally.orders, latency);
    if (more == Funnel{}) return;
    add(watched.total, more);
    watched.window[watched.newest].add(latency);
    for (auto* stretch : {&watched.second, &watched.minute}) {
        add(stretch->funnel, more);
        stretch->latency.add(latency);
        stretch->empty = false;
    }
    watched.changed_at = now;
    watched.unwritten = true;
}

/// What has been counted since the last time.
Funnel SaleStats::increment(SaleId sale, Watched& watched, const OrderTally& tally,
                            LatencyCounts& latency) {
    auto counts = counts_.read(watched.place);
    auto& seen = seen_[watched.place];
    // The counts wrap around, and their difference is right all the same.
    const auto steps = [&](FunnelCounts::Step step) -> std::int64_t {
        const auto i = static_cast<std::size_t>(step);
        return std::uint32_t{counts.steps[i] - seen.steps[i]};
    };
    Funnel more;
    more.visits = steps(FunnelCounts::Step::visit);
    more.challenges = steps(FunnelCounts::Step::challenge);
    more.passes = steps(FunnelCounts::Step::pass);
    more.attempts = steps(FunnelCounts::Step::attempt);
    for (std::size_t code = 0; code < codes_.size(); ++code)
        if (const std::uint32_t refused = counts.refusals[code] - seen.refusals[code])
            more.refusals[codes_[code]] += refused;
    for (std::size_t i = 0; i < LatencyCounts::kSize; ++i)
        latency.counts[i] = counts.latency.counts[i] - seen.latency.counts[i];
    more.claims = new_claims(sale);
    if (node_.has_others) {
        more.orders = take_noted(sale);
    } else {
        // Other nodes may have counted before, if this ledger was that of a cluster.
        more.orders =
            difference(difference(tally, watched.total.orders), watched.others.funnel.orders);
    }
    seen = std::move(counts);
    return more;
}

OrderTally SaleStats::take_noted(SaleId sale) {
    const MutexLock lock(noted_mutex_);
    const auto found = noted_.find(sale);
    if (found == noted_.end()) return {};
    const auto tally = found->second;
    noted_.erase(found);
    return tally;
}

/// A hot copy that was dropped and filled anew counts from zero.
std::int64_t SaleStats::new_claims(SaleId sale) {
    const auto glance = gate_.glance(sale, UserId{});
    if (!glance.warm) {
        claims_seen_.erase(sale);
        return 0;
    }
    const auto before = std::exchange(claims_seen_[sale], glance.claims);
    return glance.claims < before ? glance.claims : glance.claims - before;
}

void SaleStats::end_seconds(Timestamp now) {
    second_began_ = floor<std::chrono::seconds>(now);
    for (auto& [sale, watched] : watched_) {
        if (!watched.second.empty) {
            if (waiting_seconds_.size() < kMostWaiting)
                waiting_seconds_.push_back(make_point(sale, watched.stock, watched.second));
            else
                given_up_.fetch_add(1, std::memory_order_relaxed);
        }
        watched.second = {.began = second_began_, .funnel = {}, .latency = {}};
        watched.newest = (watched.newest + 1) % kWindow;
        watched.window[watched.newest] = {};
    }
}

void SaleStats::end_minutes(Timestamp now) {
    minute_began_ = floor<std::chrono::minutes>(now);
    for (auto& [sale, watched] : watched_) {
        // While nothing can be written, points of minutes are given up like those of seconds.
        if (!watched.minute.empty) {
            if (waiting_minutes_.size() < kMostWaiting)
                waiting_minutes_.push_back(make_point(sale, watched.stock, watched.minute));
            else
                given_up_.fetch_add(1, std::memory_order_relaxed);
        }
        watched.minute = {.began = minute_began_, .funnel = {}, .latency = {}};
    }
}

StatsPoint SaleStats::make_point(SaleId sale, const Stock& stock, const Stretch& stretch) const {
    return {.sale = sale,
            .at = stretch.began,
            .node = node_.number,
            .funnel = stretch.funnel,
            .stock = stock,
            .backlog = static_cast<std::int64_t>(backlog_()),
            .latency = percentiles(stretch.latency)};
}

Task<> SaleStats::write() {
    co_await write_points(Resolution::second);
    co_await write_points(Resolution::minute);
    co_await write_totals();
    forget_idle_sales(clock_.now());
}

/// Points stay in the list until they are written, so that history() always has them. They may be
/// written twice, which does no harm.
Task<> SaleStats::write_points(Resolution resolution) {
    for (;;) {
        StatsLedger::Points bite;
        bite.resolution = resolution;
        {
            const MutexLock lock(mutex_);
            const auto first = waiting(resolution).begin();
            const auto size = std::min(kAtOnce, waiting(resolution).size());
            bite.points.assign(first, first + static_cast<std::ptrdiff_t>(size));
        }
        if (bite.points.empty()) co_return;
        const auto size = static_cast<std::ptrdiff_t>(bite.points.size());
        co_await ledger_.add_points(std::move(bite));
        const MutexLock lock(mutex_);
        const auto first = waiting(resolution).begin();
        waiting(resolution).erase(first, first + size);
    }
}

std::vector<StatsPoint>& SaleStats::waiting(Resolution resolution) {
    return resolution == Resolution::second ? waiting_seconds_ : waiting_minutes_;
}

Task<> SaleStats::write_totals() {
    std::vector<NodeTotals> totals;
    {
        const MutexLock lock(mutex_);
        for (const auto& [sale, watched] : watched_)
            if (watched.unwritten)
                totals.push_back({.sale = sale,
                                  .node = node_.number,
                                  .funnel = watched.total,
                                  .at = *watched.gathered_at,
                                  .backlog = static_cast<std::int64_t>(backlog_()),
                                  .latency = latency_of(watched)});
    }
    if (totals.empty()) co_return;
    co_await ledger_.put_totals(totals);
    const MutexLock lock(mutex_);
    for (const auto& each : totals) watched_.at(each.sale).unwritten = false;
}

void SaleStats::forget_idle_sales(Timestamp now) {
    const MutexLock lock(mutex_);
    const bool scarce = watched_.size() > FunnelCounts::kPlaces / 2;
    std::erase_if(watched_, [&](const auto& entry) {
        const auto& [sale, watched] = entry;
        if (watched.unwritten || now - watched.changed_at < kQuiet) return false;
        const auto displayed = catalog_.sale(sale);
        if (displayed && displayed->stock->now().held > 0 && !scarce) return false;
        counts_.free(watched.place);
        if (!gate_.glance(sale, UserId{}).warm) claims_seen_.erase(sale);
        return true;
    });
}

Task<StatsPoint> SaleStats::show(std::shared_ptr<const DisplayedSale> displayed) {
    StatsPoint point{.sale = displayed->sale.id,
                     .at = clock_.now(),
                     .node = node_.number,
                     .funnel = {},
                     .stock = {},
                     .backlog = static_cast<std::int64_t>(backlog_()),
                     .latency = {}};
    {
        const MutexLock lock(mutex_);
        if (const auto* watched = find_gathered(point.sale)) {
            point.at = *watched->gathered_at;
            point.funnel = watched->total;
            add(point.funnel, watched->others.funnel);
            point.funnel.orders = watched->orders;
            point.stock = watched->stock;
            point.backlog += watched->others.backlog;
            point.latency = slower_of(latency_of(*watched), watched->others.latency);
            co_return point;
        }
    }
    point = co_await show_unwatched(std::move(point));
    co_return point;
}

LatencyPercentiles SaleStats::latency_of(const Watched& watched) {
    LatencyCounts latency;
    for (const auto& second : watched.window) latency.add(second);
    return percentiles(latency);
}

const SaleStats::Watched* SaleStats::find_gathered(SaleId sale) const {
    const auto found = watched_.find(sale);
    return found != watched_.end() && found->second.gathered_at ? &found->second : nullptr;
}

/// Adds the figures on record of the sale.
Task<StatsPoint> SaleStats::show_unwatched(StatsPoint point) {
    std::vector<SaleId> sales{point.sale};
    const auto totals = co_await ledger_.totals(sales);
    const auto tallies = co_await ledger_.tallies(std::move(sales));
    for (const auto& each : totals) add(point.funnel, each.funnel);
    const auto others = sum_of_others(totals, clock_.now());
    if (const auto found = others.find(point.sale); found != others.end()) {
        point.backlog += found->second.backlog;
        point.latency = found->second.latency;
    }
    point.funnel.orders = tallies.front().orders;
    point.stock = tallies.front().stock;
    co_return point;
}

Task<SaleStats::History> SaleStats::history(StatsLedger::Stretch stretch, std::size_t limit) {
    History history;
    std::map<Timestamp, StatsPoint> points;
    bool is_watched = false;
    {
        // Read before the ledger is asked: a point that is written meanwhile is then found twice,
        // not missed.
        const MutexLock lock(mutex_);
        const bool seconds = stretch.resolution == Resolution::second;
        // A stretch that ends meanwhile is left out here, as it is left out of the total.
        stretch.to = std::min(stretch.to, seconds ? second_began_ : minute_began_);
        for (const auto& point : waiting(stretch.resolution))
            if (point.sale == stretch.sale && point.at >= stretch.from && point.at < stretch.to)
                points.emplace(point.at, point);
        if (const auto* watched = find_gathered(stretch.sale)) {
            is_watched = true;
            history.total = watched->total;
            add(history.total, watched->others.funnel);
            subtract(history.total, (seconds ? watched->second : watched->minute).funnel);
        }
    }
    const auto unwritten = points;
    const auto written = co_await ledger_.history(stretch, limit);
    for (const auto& point : written) {
        // This point was written meanwhile and has been read already.
        if (point.node == node_.number && unwritten.contains(point.at)) continue;
        const auto [known, is_first] = points.try_emplace(point.at, point);
        if (!is_first) merge(known->second, point);
    }
    for (auto& [at, point] : points)
        if (history.points.size() < limit) history.points.push_back(std::move(point));
    if (is_watched) co_return history;
    StatsPoint unwatched;
    unwatched.sale = stretch.sale;
    unwatched = co_await show_unwatched(std::move(unwatched));
    history.total = std::move(unwatched.funnel);
    co_return history;
}

}  // namespace sluice
