#include "workers/hot_copy_keeper.hpp"

#include <algorithm>
#include <utility>

#include "base/outage.hpp"
#include "workers/hot_copy_difference.hpp"

namespace sluice {
namespace {

using CopyState = HotCopyFinding::State;

bool same_state(const OrderLedger::HotCopy& a, const OrderLedger::HotCopy& b) {
    return a.filling == b.filling && a.left == b.left && a.seq == b.seq && a.holdings == b.holdings;
}

StockGate::Terms terms_of(const Sale& sale) {
    StockGate::Terms terms{.version = sale.version,
                           .starts_at = sale.starts_at,
                           .ends_at = sale.ends_at,
                           .is_paused = sale.paused,
                           .limit = sale.limit_per_buyer};
    // An operator's end counts at once, even if the clock is a little behind.
    if (sale.ended_at) terms.ends_at = Timestamp{};
    return terms;
}

}  // namespace

Task<> HotCopyKeeper::fill_at_start() {
    auto copies = co_await ledger_.hot_copies(clock_.now());
    for (auto& copy : copies) co_await fill_from(std::move(copy));
}

Task<> HotCopyKeeper::fill_new(SaleId sale) {
    try {
        auto copy = co_await ledger_.hot_copy(sale);
        if (copy) co_await fill_from(std::move(*copy));
    } catch (const std::exception& failure) {
        // The sale is made already. A later round fills its copy.
        log_.warn("hot_copy.put_off", {{"sale", sale.text()}, {"reason", failure.what()}});
    }
}

/// In chunks, so that no step of the copy takes long.
Task<bool> HotCopyKeeper::fill_from(OrderLedger::HotCopy copy) {
    const auto& [filling, left, seq, holdings] = copy;
    const bool begun = co_await gate_.begin_fill(filling, left, seq);
    if (!begun) co_return false;
    for (std::size_t at = 0; at < holdings.size(); at += kChunk) {
        const auto from = holdings.begin() + static_cast<std::ptrdiff_t>(at);
        const auto size = std::min(kChunk, holdings.size() - at);
        StockGate::Holdings chunk(from, from + static_cast<std::ptrdiff_t>(size));
        const bool filled = co_await gate_.fill(filling, std::move(chunk));
        if (!filled) co_return false;
    }
    const bool opened = co_await gate_.open_epoch(filling);
    // Applies what was committed since the ledger was read.
    if (opened) co_await outbox_.catch_up(filling.sale);
    co_return opened;
}

Task<std::chrono::milliseconds> HotCopyKeeper::look_after_copies() {
    const auto now = clock_.now();
    // In this order: a sale that is made at this moment has its copy before it is shown.
    const auto sales = live_sales(now);
    const auto filled = co_await gate_.open_copies();
    std::set<SaleId> live;
    for (const auto& sale : sales) live.insert(live.end(), sale.id);

    const auto ledger = co_await ledger_name();
    auto cold = note_sales(sales, filled, ledger, now);
    for (const auto sale : take_suspects())
        if (live.contains(sale)) cold.insert(cold.begin(), sale);
    co_await fill_some(cold);
    co_await tell_terms_to(filled, sales);
    co_await catch_up(sales, filled);
    co_await forget_over(filled, std::move(live));
    co_await compare_some(filled);
    if (const auto failure = std::exchange(failure_, nullptr)) std::rethrow_exception(failure);
    if (cold.size() > kMostFilled) co_return std::chrono::milliseconds{0};
    co_return kPause;
}

void HotCopyKeeper::suspect(SaleId sale) {
    const MutexLock lock(mutex_);
    suspects_.insert(sale);
}

Task<> HotCopyKeeper::fill_suspects() {
    for (const auto sale : take_suspects()) {
        std::exception_ptr failure;
        bool is_filled = false;
        try {
            is_filled = co_await fill(sale);
        } catch (const Outage&) {
            failure = std::current_exception();
        }
        if (!is_filled) suspect(sale);
        if (failure) std::rethrow_exception(failure);
    }
}

std::set<SaleId> HotCopyKeeper::take_suspects() {
    const MutexLock lock(mutex_);
    return std::exchange(suspects_, {});
}

/// In the order of their ids.
std::vector<HotCopyKeeper::LiveSale> HotCopyKeeper::live_sales(Timestamp now) const {
    std::vector<LiveSale> live;
    visit_sales_([&](const Sale& sale, std::int64_t hot_seq) {
        const auto end = end_of(sale);
        if (end && *end <= now - kKeptAfterEnd) return;
        const auto closed = closed_because(sale, now);
        live.push_back({.id = sale.id,
                        .epoch = sale.epoch,
                        .hot_seq = hot_seq,
                        .is_over = closed == Reason::ended,
                        .is_selling = !closed,
                        .terms = terms_of(sale)});
    });
    std::ranges::sort(live, {}, &LiveSale::id);
    return live;
}

/// nullopt when the ledger is away: then no copy counts as one of another ledger for now.
Task<std::optional<std::string>> HotCopyKeeper::ledger_name() {
    try {
        auto name = co_await ledger_.name();
        co_return name;
    } catch (const std::exception&) {
        failure_ = std::current_exception();
    }
    co_return std::nullopt;
}

/// Returns the sales that are cold; those that should sell now come first.
std::vector<SaleId> HotCopyKeeper::note_sales(const std::vector<LiveSale>& live,
                                              const std::vector<StockGate::OpenCopy>& filled,
                                              const std::optional<std::string>& ledger,
                                              Timestamp now) {
    std::map<SaleId, const StockGate::Filling*> copies;
    for (const auto& each : filled)
        copies.emplace_hint(copies.end(), each.filling.sale, &each.filling);
    std::vector<SaleId> selling, others;
    const MutexLock lock(mutex_);
    std::map<SaleId, Record> records;
    for (const auto& sale : live) {
        const auto copy = copies.find(sale.id);
        const bool has_copy = copy != copies.end();
        if (sale.is_over && !has_copy) continue;
        const auto known = records_.find(sale.id);
        auto& record = records[sale.id];
        if (known != records_.end()) record = std::move(known->second);
        record.is_selling = sale.is_selling;
        auto& finding = record.finding;
        finding.epoch = has_copy ? copy->second->epoch : 0;
        if (finding.state != CopyState::drifting) finding.state = CopyState::warm;
        // A claim names the epoch that is shown, so a copy of another epoch cannot be used. After a
        // restore the epoch may be the same, and the copy knows tickets that the ledger has
        // forgotten.
        const bool is_of_other_ledger = has_copy && ledger && copy->second->ledger != *ledger;
        if (!sale.is_over && (finding.epoch != sale.epoch || is_of_other_ledger)) {
            finding.state = CopyState::cold;
            if (!finding.cold_since) finding.cold_since = now;
            (sale.is_selling ? selling : others).push_back(sale.id);
        } else {
            finding.cold_since.reset();
        }
    }
    records_ = std::move(records);
    copies_ = filled.size();
    selling.insert(selling.end(), others.begin(), others.end());
    return selling;
}

/// If one sale cannot be filled, the others are filled all the same, and the round goes on.
Task<> HotCopyKeeper::fill_some(std::vector<SaleId> cold) {
    for (std::size_t i = 0; i < std::min(cold.size(), kMostFilled); ++i) {
        try {
            co_await fill(cold[i]);
        } catch (const std::exception&) {
            failure_ = std::current_exception();
        }
    }
}

/// Applies the outbox rows that a copy lacks because whoever had to apply them was interrupted.
Task<> HotCopyKeeper::catch_up(std::vector<LiveSale> live,
                               std::vector<StockGate::OpenCopy> filled) {
    std::map<SaleId, std::int64_t> applied;
    for (const auto& each : filled) applied.emplace(each.filling.sale, each.applied);
    for (const auto& sale : live) {
        const auto copy = applied.find(sale.id);
        if (copy != applied.end() && copy->second < sale.hot_seq)
            co_await outbox_.catch_up(sale.id);
    }
}

Task<> HotCopyKeeper::tell_terms(Sale sale) {
    try {
        auto terms = terms_of(sale);
        co_await gate_.set_terms(sale.id, std::move(terms));
    } catch (const std::exception& failure) {
        log_.warn("hot_copy.terms_put_off", {{"sale", sale.id.text()}, {"reason", failure.what()}});
    }
}

/// To a new copy, which knows none: until then a pause would be judged by the ledger only.
Task<> HotCopyKeeper::tell_terms_of(SaleId sale) {
    std::optional<Sale> shown;
    visit_sales_([&](const Sale& each, std::int64_t) {
        if (each.id == sale) shown = each;
    });
    if (shown) co_await tell_terms(std::move(*shown));
}

/// What was to tell a copy was interrupted.
Task<> HotCopyKeeper::tell_terms_to(std::vector<StockGate::OpenCopy> filled,
                                    std::vector<LiveSale> live) {
    std::map<SaleId, std::int64_t> known;
    for (const auto& each : filled)
        if (each.terms_version) known.emplace(each.filling.sale, *each.terms_version);
    for (const auto& sale : live) {
        const auto version = known.find(sale.id);
        if (version == known.end() || version->second >= sale.terms.version) continue;
        co_await gate_.set_terms(sale.id, sale.terms);
    }
}

Task<bool> HotCopyKeeper::fill(SaleId sale) {
    const bool may_fill = co_await gate_.may_fill(sale);
    if (!may_fill) co_return false;
    const auto above = co_await gate_.opened_epoch(sale);
    auto copy = co_await ledger_.begin_epoch(sale, above, clock_.now());
    if (!copy) co_return false;
    const auto epoch = copy->filling.epoch;
    const bool filled = co_await fill_from(std::move(*copy));
    if (!filled) co_return false;
    co_await tell_terms_of(sale);
    log_.info("hot_copy.filled", {{"sale", sale.text()}, {"epoch", epoch}});
    note_filled(sale, epoch);
    co_return true;
}

/// Only sales that the round before would have forgotten too: a sale that was made at this moment
/// is in the gate before it is shown.
Task<> HotCopyKeeper::forget_over(std::vector<StockGate::OpenCopy> filled, std::set<SaleId> live) {
    std::map<SaleId, std::int64_t> epochs;
    for (const auto& each : filled)
        if (!live.contains(each.filling.sale))
            epochs.emplace(each.filling.sale, each.filling.epoch);
    std::set<SaleId> shown;
    if (!epochs.empty())
        visit_sales_([&](const Sale& sale, std::int64_t) {
            if (epochs.contains(sale.id)) shown.insert(sale.id);
        });
    std::map<SaleId, int> over;
    for (const auto& [sale, epoch] : epochs) {
        const auto before = over_.find(sale);
        const int rounds = before == over_.end() ? 0 : before->second;
        if (rounds >= (shown.contains(sale) ? 1 : kRoundsUnknown)) {
            const bool forgotten = co_await gate_.forget(sale, epoch);
            if (forgotten) continue;
        }
        over.emplace(sale, rounds + 1);
    }
    over_ = std::move(over);
}

Task<> HotCopyKeeper::compare_some(std::vector<StockGate::OpenCopy> filled) {
    for (const auto& copy : filled)
        if (copy.claims > 0) suspicions_.erase(copy.filling.sale);
    const auto sales = next_to_compare(filled);
    std::size_t read = 0;
    for (const auto sale : sales) {
        if (read >= kMostRead) co_return;
        try {
            const auto rows = co_await compare(sale);
            read += rows;
        } catch (const std::exception&) {
            failure_ = std::current_exception();
        }
        if (!suspicions_.contains(sale)) compared_last_ = sale;
    }
}

/// The suspected sales, then the next ones in turn.
std::vector<SaleId> HotCopyKeeper::next_to_compare(
    const std::vector<StockGate::OpenCopy>& filled) const {
    std::vector<SaleId> sales;
    for (const auto& [sale, suspicion] : suspicions_) sales.push_back(sale);
    const auto sale_of = [](const StockGate::OpenCopy& each) { return each.filling.sale; };
    const auto next = std::ranges::upper_bound(filled, compared_last_, {}, sale_of);
    const auto start = static_cast<std::size_t>(next - filled.begin());
    for (std::size_t i = 0; i < filled.size() && sales.size() < kMostCompared; ++i) {
        const auto& copy = filled[(start + i) % filled.size()];
        const auto sale = copy.filling.sale;
        // A copy with open claims is not at rest, and would be read in vain.
        if (copy.claims == 0 && !suspicions_.contains(sale)) sales.push_back(sale);
    }
    return sales;
}

/// Returns how many holdings were read. A sale with open claims is not at rest: it is compared
/// another time.
Task<std::size_t> HotCopyKeeper::compare(SaleId sale) {
    const auto hot = co_await gate_.snapshot(sale);
    if (!hot || hot->open > 0 || !hot->steady) {
        suspicions_.erase(sale);
        co_return 0;
    }
    auto ledger = co_await ledger_.hot_copy(sale);
    if (!ledger) {
        suspicions_.erase(sale);
        co_return 0;
    }
    const auto read = ledger->holdings.size();
    auto differences = find_differences(*hot, *ledger);
    if (differences.empty()) {
        suspicions_.erase(sale);
        note_agreed(sale);
        co_return read;
    }
    // A change may be committed and still be on its way to the gate. Between two looks that find
    // the same on both sides it had a whole round to arrive.
    const auto before = suspicions_.find(sale);
    const bool stays = before != suspicions_.end() && before->second.changes == hot->changes &&
                       same_state(before->second.ledger, *ledger);
    if (!stays) {
        suspicions_.insert_or_assign(sale, Suspicion{hot->changes, std::move(*ledger)});
        co_return read;
    }
    co_await heal(sale, std::move(differences));
    co_return read;
}

Task<> HotCopyKeeper::heal(SaleId sale, std::vector<Notice> differences) {
    log_.warn("hot_copy.drift", {{"sale", sale.text()}, {"difference", text_of(differences)}});
    {
        const MutexLock lock(mutex_);
        auto& record = records_[sale];
        // If filling has failed it is tried again, and counts as the same drift.
        if (record.finding.state != CopyState::drifting) {
            ++drifts_;
            ++record.finding.drifts;
        }
        record.finding.state = CopyState::drifting;
        record.finding.drift = {clock_.now(), std::move(differences)};
    }
    const bool healed = co_await fill(sale);
    if (healed) suspicions_.erase(sale);
}

void HotCopyKeeper::note_filled(SaleId sale, std::int64_t epoch) {
    const MutexLock lock(mutex_);
    auto& finding = records_[sale].finding;
    finding.state = CopyState::warm;
    finding.epoch = epoch;
    finding.cold_since.reset();
    finding.compared_at = clock_.now();
}

void HotCopyKeeper::note_agreed(SaleId sale) {
    const MutexLock lock(mutex_);
    const auto record = records_.find(sale);
    if (record == records_.end()) return;
    auto& finding = record->second.finding;
    if (finding.state == CopyState::drifting) finding.state = CopyState::warm;
    finding.compared_at = clock_.now();
}

HotCopyFinding HotCopyKeeper::finding(SaleId sale) const {
    const MutexLock lock(mutex_);
    const auto record = records_.find(sale);
    return record == records_.end() ? HotCopyFinding{} : record->second.finding;
}

std::vector<Notice> HotCopyKeeper::complaints() const {
    const auto now = clock_.now();
    std::size_t late = 0;
    std::string first;
    const MutexLock lock(mutex_);
    for (const auto& [sale, record] : records_) {
        const auto since = record.finding.cold_since;
        if (!since || !record.is_selling || now - *since <= kPatience) continue;
        if (++late == 1) first = sale.text();
    }
    if (late == 0) return {};
    return {{NoticeRule::sales_without_copy, late, first}};
}

std::size_t HotCopyKeeper::copies() const {
    const MutexLock lock(mutex_);
    return copies_;
}

std::size_t HotCopyKeeper::cold() const {
    const MutexLock lock(mutex_);
    return static_cast<std::size_t>(std::ranges::count_if(
        records_, [](const auto& each) { return each.second.finding.state == CopyState::cold; }));
}

std::size_t HotCopyKeeper::drifting() const {
    const MutexLock lock(mutex_);
    return static_cast<std::size_t>(std::ranges::count_if(records_, [](const auto& each) {
        return each.second.finding.state == CopyState::drifting;
    }));
}

std::uint64_t HotCopyKeeper::drifts() const {
    const MutexLock lock(mutex_);
    return drifts_;
}

}  // namespace sluice
