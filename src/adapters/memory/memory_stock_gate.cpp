#include "adapters/memory/memory_stock_gate.hpp"

#include <algorithm>
#include <utility>

namespace sluice {

MemoryStockGate::HotSale* MemoryStockGate::find(SaleId sale) const {
    const auto at = sales_.find(sale);
    return at == sales_.end() ? nullptr : at->second.get();
}

StockGate::Glance MemoryStockGate::glance(SaleId id, UserId buyer) const {
    const SharedLock kept(mutex_);
    const HotSale* sale = find(id);
    if (!sale || sale->epoch == 0) return {};
    const auto held = sale->holdings.find(buyer);
    return {.warm = true,
            .left = sale->left,
            .units = held ? held->units : 0,
            .history = held.has_value(),
            .claims = sale->claims,
            .changes = held ? held->changes : 0};
}

Task<StockGate::Claimed> MemoryStockGate::claim(Ticket ticket, std::int64_t limit) {
    Claimed answer{.verdict = Verdict::closed, .units = 0, .latest = {}};
    const SharedLock kept(mutex_);
    HotSale* const sale = find(ticket.id.sale);
    if (!sale) co_return answer;
    const MutexLock lock(sale->mutex);
    if (sale->epoch == 0) co_return answer;
    if (sale->epoch != ticket.epoch) {
        answer.verdict = Verdict::moved;
        co_return answer;
    }
    answer.units = sale->holdings.find(ticket.buyer).value_or(HeldUnits::Held{}).units;
    if (const auto known = sale->open.find(ticket.id); known != sale->open.end()) {
        answer.verdict = Verdict::again;
        co_return answer;
    }
    if (sale->done.contains(ticket.id)) {
        answer.verdict = Verdict::done;
        co_return answer;
    }
    if (answer.units + ticket.quantity > limit) {
        answer.verdict = Verdict::already;
        answer.latest = latest_of(*sale, ticket.buyer);
        co_return answer;
    }
    if (sale->left < ticket.quantity) {
        if (sale->left <= 0) signal_sold_out(ticket.id.sale, *sale);
        answer.verdict = Verdict::sold_out;
        co_return answer;
    }
    ++sale->claims;
    ++sale->changes;
    change_left(ticket.id.sale, *sale, -ticket.quantity);
    sale->holdings.add(ticket.buyer, ticket.quantity);
    sale->latest_claim = std::max(sale->latest_claim, ticket.claimed_at);
    sale->open.emplace(ticket.id, Open{ticket, Stage::claimed});
    sale->open_of[ticket.buyer].push_back(ticket.id);
    answer.verdict = Verdict::won;
    answer.units += ticket.quantity;
    co_return answer;
}

Task<bool> MemoryStockGate::is_open(TicketId ticket, UserId buyer) {
    const SharedLock kept(mutex_);
    HotSale* const sale = find(ticket.sale);
    if (!sale) co_return false;
    const MutexLock lock(sale->mutex);
    const auto belongs = [&](const OpenClaims& claims) {
        const auto at = claims.find(ticket);
        return at != claims.end() && at->second.ticket.buyer == buyer;
    };
    co_return belongs(sale->open) || belongs(sale->former);
}

Task<std::optional<TicketId>> MemoryStockGate::latest_open(SaleId id, UserId buyer) {
    const SharedLock kept(mutex_);
    HotSale* const sale = find(id);
    if (!sale) co_return std::nullopt;
    const MutexLock lock(sale->mutex);
    if (const auto latest = latest_of(*sale, buyer)) co_return latest;
    const Ticket* former = nullptr;
    for (const auto& [ticket, open] : sale->former)
        if (open.ticket.buyer == buyer && (!former || former->claimed_at < open.ticket.claimed_at))
            former = &open.ticket;
    co_return former ? std::optional(former->id) : std::nullopt;
}

Task<std::vector<TicketId>> MemoryStockGate::hand_off(std::vector<ClaimName> claims) {
    std::vector<TicketId> marked;
    for (const auto& [id, epoch] : claims) {
        const SharedLock kept(mutex_);
        HotSale* const sale = find(id.sale);
        if (!sale) continue;
        const MutexLock lock(sale->mutex);
        if (sale->epoch != epoch) continue;
        const auto at = sale->open.find(id);
        if (at == sale->open.end() || at->second.stage == Stage::condemned) continue;
        at->second.stage = Stage::handed_off;
        marked.push_back(id);
    }
    co_return marked;
}

Task<std::vector<Ticket>> MemoryStockGate::condemn(Timestamp claimed_before) {
    std::vector<Ticket> condemned;
    visit_open(claimed_before, [&](Open& open) {
        if (open.stage == Stage::handed_off) return;
        open.stage = Stage::condemned;
        condemned.push_back(open.ticket);
    });
    co_return condemned;
}

Task<std::vector<Ticket>> MemoryStockGate::handed_off(Timestamp claimed_before) {
    std::vector<Ticket> handed_off;
    visit_open(claimed_before, [&](const Open& open) {
        if (open.stage == Stage::handed_off) handed_off.push_back(open.ticket);
    });
    co_return handed_off;
}

void MemoryStockGate::visit_open(Timestamp claimed_before,
                                 const std::function<void(Open&)>& each) const {
    const SharedLock kept(mutex_);
    for (const auto& [id, sale] : sales_) {
        const MutexLock sale_lock(sale->mutex);
        for (auto* const claims : {&sale->open, &sale->former})
            for (auto& [ticket, open] : *claims)
                if (open.ticket.claimed_at < claimed_before) each(open);
    }
}

Task<std::vector<TicketId>> MemoryStockGate::settle(std::vector<ClaimName> claims) {
    std::vector<TicketId> missed;
    for (const auto& [id, epoch] : claims) {
        const SharedLock kept(mutex_);
        HotSale* const sale = find(id.sale);
        if (!sale) continue;
        const MutexLock lock(sale->mutex);
        drop_former(*sale, id);
        if (sale->epoch != epoch) continue;
        if (sale->open.contains(id))
            close(*sale, id);
        else if (!sale->done.contains(id))
            missed.push_back(id);
    }
    co_return missed;
}

Task<Done> MemoryStockGate::release(std::vector<ClaimName> claims) {
    for (const auto& [id, epoch] : claims) {
        const SharedLock kept(mutex_);
        HotSale* const sale = find(id.sale);
        if (!sale) continue;
        const MutexLock lock(sale->mutex);
        drop_former(*sale, id);  // its units went with the former copy
        if (sale->epoch != epoch) continue;
        const auto at = sale->open.find(id);
        if (at == sale->open.end()) continue;
        const auto& ticket = at->second.ticket;
        change_left(id.sale, *sale, ticket.quantity);
        sale->holdings.add(ticket.buyer, -ticket.quantity);
        close(*sale, id);
    }
    co_return Done{};
}

Task<std::optional<std::int64_t>> MemoryStockGate::apply(SaleId id, std::int64_t epoch,
                                                         std::vector<HotChange> rows) {
    const SharedLock kept(mutex_);
    HotSale* const sale = find(id);
    if (!sale) co_return std::nullopt;
    const MutexLock lock(sale->mutex);
    if (sale->epoch != epoch) co_return std::nullopt;
    for (const auto& row : rows) {
        if (row.seq <= sale->applied) continue;
        if (row.seq > sale->applied + 1) break;
        sale->applied = row.seq;
        change_left(id, *sale, row.delta_left);
        if (row.buyer) sale->holdings.add(*row.buyer, row.delta_units);
        ++sale->changes;
    }
    co_return sale->applied;
}

Task<bool> MemoryStockGate::begin_fill(Filling filling, std::int64_t left, std::int64_t applied) {
    {
        const ExclusiveLock adding(mutex_);
        auto& added = sales_[filling.sale];
        if (!added) added = std::make_unique<HotSale>();
    }
    const SharedLock kept(mutex_);
    HotSale* const sale = find(filling.sale);
    if (!sale) co_return false;  // forgotten again in between
    const MutexLock lock(sale->mutex);
    if (filling.epoch <= sale->epoch) co_return false;  // overtaken
    if (sale->draft && filling.epoch <= sale->draft->filling.epoch) co_return false;
    sale->draft = Draft{std::move(filling), left, applied, {}};
    co_return true;
}

Task<bool> MemoryStockGate::fill(Filling filling, Holdings chunk) {
    const SharedLock kept(mutex_);
    HotSale* const sale = find(filling.sale);
    if (!sale) co_return false;
    const MutexLock lock(sale->mutex);
    if (!sale->draft || sale->draft->filling != filling) co_return false;
    auto& holdings = sale->draft->holdings;
    holdings.insert(holdings.end(), chunk.begin(), chunk.end());
    co_return true;
}

Task<bool> MemoryStockGate::open_epoch(Filling filling) {
    const SharedLock kept(mutex_);
    HotSale* const sale = find(filling.sale);
    if (!sale) co_return false;
    const MutexLock lock(sale->mutex);
    if (!sale->draft || sale->draft->filling != filling) co_return false;
    const auto draft = *std::exchange(sale->draft, std::nullopt);
    sale->holdings.replace(draft.holdings);
    sale->left = draft.left;
    sale->applied = draft.applied;
    sale->former.merge(sale->open);
    sale->open.clear();
    sale->open_of.clear();
    sale->ledger = draft.filling.ledger;
    sale->epoch = draft.filling.epoch;
    ++sale->changes;
    signal_sold_out(filling.sale, *sale);
    co_return true;
}

Task<bool> MemoryStockGate::forget(SaleId id, std::int64_t epoch) {
    std::unique_ptr<HotSale> forgotten;  // destroyed when nobody waits for the lock any more
    const ExclusiveLock alone(mutex_);
    const auto at = sales_.find(id);
    if (at == sales_.end() || at->second->epoch != epoch) co_return false;
    {
        const MutexLock lock(at->second->mutex);
        if (!at->second->open.empty() || !at->second->former.empty()) co_return false;
    }
    forgotten = std::move(at->second);
    sales_.erase(at);
    co_return true;
}

Task<std::int64_t> MemoryStockGate::opened_epoch(SaleId id) {
    const SharedLock kept(mutex_);
    const HotSale* const sale = find(id);
    co_return sale ? sale->epoch.load() : 0;
}

StockGate::OpenCopy MemoryStockGate::copy_of(SaleId id, const HotSale& sale) {
    return {.filling = {id, sale.epoch, sale.ledger},
            .applied = sale.applied,
            .claims = static_cast<std::int64_t>(sale.open.size())};
}

Task<std::optional<StockGate::OpenCopy>> MemoryStockGate::open_copy(SaleId id) {
    const SharedLock kept(mutex_);
    const HotSale* const sale = find(id);
    if (!sale) co_return std::nullopt;
    const MutexLock lock(sale->mutex);
    if (sale->epoch == 0) co_return std::nullopt;
    co_return copy_of(id, *sale);
}

Task<std::vector<StockGate::OpenCopy>> MemoryStockGate::open_copies() {
    std::vector<OpenCopy> copies;
    {
        const SharedLock kept(mutex_);
        copies.reserve(sales_.size());
        for (const auto& [id, sale] : sales_) {
            const MutexLock sale_lock(sale->mutex);
            if (sale->epoch > 0) copies.push_back(copy_of(id, *sale));
        }
    }
    std::ranges::sort(copies, {}, [](const OpenCopy& each) { return each.filling.sale; });
    co_return copies;
}

/// The holdings are read without blocking claims: a sale may have a million buyers.
Task<std::optional<StockGate::Snapshot>> MemoryStockGate::snapshot(SaleId id) {
    const SharedLock kept(mutex_);
    const HotSale* const sale = find(id);
    if (!sale) co_return std::nullopt;
    std::uint64_t changes = 0;
    {
        const MutexLock lock(sale->mutex);
        if (sale->epoch == 0) co_return std::nullopt;
        changes = sale->changes;
    }
    Snapshot snapshot;
    sale->holdings.visit([&](UserId buyer, std::int64_t units) {
        if (units != 0) snapshot.holdings.emplace_back(buyer, units);
    });
    const MutexLock lock(sale->mutex);
    snapshot.epoch = sale->epoch;
    snapshot.left = sale->left;
    snapshot.applied = sale->applied;
    for (const auto& [ticket, open] : sale->open) snapshot.open += open.ticket.quantity;
    snapshot.changes = sale->changes;
    snapshot.steady = sale->changes == changes;
    co_return snapshot;
}

std::optional<TicketId> MemoryStockGate::latest_of(const HotSale& sale, UserId buyer) {
    const auto at = sale.open_of.find(buyer);
    if (at == sale.open_of.end()) return std::nullopt;
    return at->second.back();
}

Task<StockGate::UnderWay> MemoryStockGate::under_way() {
    UnderWay all;
    const SharedLock kept(mutex_);
    for (const auto& [id, sale] : sales_) {
        const MutexLock lock(sale->mutex);
        if (sale->epoch == 0) continue;
        all.decided += sale->decided;
        for (const auto* const claims : {&sale->open, &sale->former}) {
            all.claims += static_cast<std::int64_t>(claims->size());
            for (const auto& [ticket, open] : *claims) {
                if (open.stage != Stage::handed_off) continue;
                const auto at = open.ticket.claimed_at;
                all.oldest_handed_off = std::min(all.oldest_handed_off.value_or(at), at);
            }
        }
    }
    co_return all;
}

void MemoryStockGate::close(HotSale& sale, const TicketId& id) {
    sale.done.add(id, sale.latest_claim);
    const auto at = sale.open.find(id);
    const auto tickets = sale.open_of.find(at->second.ticket.buyer);
    tickets->second.erase(std::find(tickets->second.begin(), tickets->second.end(), id));
    if (tickets->second.empty()) sale.open_of.erase(tickets);
    sale.open.erase(at);
    ++sale.changes;
    ++sale.decided;
}

void MemoryStockGate::change_left(SaleId id, HotSale& sale, std::int64_t by) const {
    const bool was_sold_out = sale.left <= 0;
    sale.left += by;
    if (was_sold_out != (sale.left <= 0)) signal_sold_out(id, sale);
}

void MemoryStockGate::signal_sold_out(SaleId id, const HotSale& sale) const {
    if (!signals_) return;
    if (sale.left > 0)
        signals_->restocked(id);
    else
        signals_->sold_out(id);
}

std::optional<MemoryStockGate::HeldUnits::Held> MemoryStockGate::HeldUnits::find(
    UserId buyer) const {
    const Share& share = shares_[share_of(buyer)];
    const MutexLock lock(share.mutex);
    const auto at = share.held.find(buyer);
    if (at == share.held.end()) return std::nullopt;
    return at->second;
}

void MemoryStockGate::HeldUnits::add(UserId buyer, std::int64_t units) {
    Share& share = shares_[share_of(buyer)];
    const MutexLock lock(share.mutex);
    auto& held = share.held[buyer];
    held.units += static_cast<std::int32_t>(units);
    ++held.changes;
}

/// A buyer who is not in the new copy stays known as somebody with a past, and their changes are
/// counted further.
void MemoryStockGate::HeldUnits::replace(const Holdings& holdings) {
    std::array<All, kShares> fresh;
    for (auto& held : fresh) held.reserve(holdings.size() / kShares);
    for (const auto& [buyer, units] : holdings)
        fresh[share_of(buyer)][buyer].units = static_cast<std::int32_t>(units);
    for (std::size_t i = 0; i < kShares; ++i) {
        const MutexLock lock(shares_[i].mutex);
        for (const auto& [buyer, held] : shares_[i].held)
            fresh[i][buyer].changes = held.changes + 1;
        shares_[i].held.swap(fresh[i]);
    }
}

void MemoryStockGate::HeldUnits::visit(
    const std::function<void(UserId, std::int64_t)>& each) const {
    for (const auto& share : shares_) {
        const MutexLock lock(share.mutex);
        for (const auto& [buyer, held] : share.held) each(buyer, held.units);
    }
}

void MemoryStockGate::Recent::add(const TicketId& id, Timestamp now) {
    if (now - since_ > kMemory) {
        old_ = std::exchange(new_, {});
        since_ = now;
    }
    new_.insert(id);
}

}  // namespace sluice
