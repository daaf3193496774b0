#include "cluster_simulation/hot_keys.hpp"

namespace sluice::cluster_simulation {

bool HotKeys::Epoch::is_whole() const {
    return left && applied && run && ledger && buyers && open && done;
}

bool HotKeys::is_same(const RunId& a, const RunId& b) const {
    if (left_out_ == Switch::any_run) return true;
    if (left_out_ == Switch::run_id_alone) return a.server == b.server;
    return a == b;
}

HotKeys::Epoch* HotKeys::present(const RunId& run) {
    if (!epoch_) return nullptr;
    const auto at = epochs_.find(*epoch_);
    if (at == epochs_.end()) return nullptr;
    auto& keys = at->second;
    if (left_out_ == Switch::missing_key_is_empty) {
        if (!keys.buyers) keys.buyers.emplace();
        if (!keys.open) keys.open.emplace();
        if (!keys.done) keys.done.emplace();
    }
    return keys.is_whole() && is_same(*keys.run, run) ? &keys : nullptr;
}

const HotKeys::Epoch* HotKeys::look() const {
    const auto at = epochs_.find(epoch());
    return at == epochs_.end() ? nullptr : &at->second;
}

HotKeys::Epoch* HotKeys::of(const RunId& run, std::int64_t epoch) {
    if (left_out_ != Switch::any_epoch && epoch_ != epoch) return nullptr;
    return present(run);
}

StockGate::Claimed HotKeys::claim(const RunId& run, const Ticket& ticket, std::int64_t limit) {
    const auto say = [](Verdict verdict, std::int64_t units = 0) {
        return StockGate::Claimed{.verdict = verdict, .units = units, .latest = {}};
    };
    auto* const keys = of(run, ticket.epoch);
    if (!keys) {
        const auto* const there = look();
        return say(there && there->is_whole() ? Verdict::moved : Verdict::closed);
    }
    if (keys->done->contains(ticket.id)) return say(Verdict::done);
    const auto known = keys->buyers->find(ticket.buyer);
    const auto units = known == keys->buyers->end() ? 0 : known->second;
    if (keys->open->contains(ticket.id)) return say(Verdict::again, units);
    if (units + ticket.quantity > limit) {
        auto answer = say(Verdict::already);
        answer.latest = latest_open(run, ticket.buyer);
        return answer;
    }
    if (*keys->left < ticket.quantity) return say(Verdict::sold_out);
    *keys->left -= ticket.quantity;
    move_units(*keys, ticket.buyer, ticket.quantity);
    keys->open->emplace(ticket.id, OpenClaim{ticket, Stage::claimed});
    ++changes_;
    return say(Verdict::won, units + ticket.quantity);
}

std::vector<TicketId> HotKeys::hand_off(const RunId& run,
                                        const std::vector<StockGate::ClaimName>& claims) {
    std::vector<TicketId> marked;
    for (const auto& [ticket, epoch] : claims) {
        auto* const keys = of(run, epoch);
        if (!keys) continue;
        const auto at = keys->open->find(ticket);
        if (at == keys->open->end() || at->second.stage == Stage::condemned) continue;
        at->second.stage = Stage::handed_off;
        marked.push_back(ticket);
    }
    return marked;
}

/// Including those of former epochs.
template <class Each>
void HotKeys::visit_open(const RunId& run, const Each& each) {
    auto* const keys = present(run);
    if (!keys) return;
    for (auto* const claims : {&*keys->open, &former_})
        for (auto& [ticket, claim] : *claims) each(claim);
}

bool HotKeys::is_open(const RunId& run, const TicketId& ticket, UserId buyer) {
    bool found = false;
    visit_open(run, [&](const OpenClaim& claim) {
        found = found || (claim.ticket.id == ticket && claim.ticket.buyer == buyer);
    });
    return found;
}

std::optional<TicketId> HotKeys::latest_open(const RunId& run, UserId buyer) {
    const Ticket* latest = nullptr;
    visit_open(run, [&](const OpenClaim& claim) {
        if (claim.ticket.buyer != buyer) return;
        if (!latest || latest->claimed_at <= claim.ticket.claimed_at) latest = &claim.ticket;
    });
    return latest ? std::optional(latest->id) : std::nullopt;
}

std::vector<Ticket> HotKeys::condemn(const RunId& run, Timestamp claimed_before) {
    std::vector<Ticket> condemned;
    visit_open(run, [&](OpenClaim& claim) {
        const bool may_be =
            claim.stage == Stage::claimed || left_out_ == Switch::marked_is_condemned;
        if (may_be && claim.ticket.claimed_at < claimed_before) claim.stage = Stage::condemned;
        if (claim.stage == Stage::condemned) condemned.push_back(claim.ticket);
    });
    return condemned;
}

std::vector<Ticket> HotKeys::handed_off(const RunId& run, Timestamp claimed_before) {
    std::vector<Ticket> stale;
    visit_open(run, [&](const OpenClaim& claim) {
        if (claim.stage == Stage::handed_off && claim.ticket.claimed_at < claimed_before)
            stale.push_back(claim.ticket);
    });
    return stale;
}

std::vector<TicketId> HotKeys::settle(const RunId& run,
                                      const std::vector<StockGate::ClaimName>& claims) {
    std::vector<TicketId> missed;
    for (const auto& [ticket, epoch] : claims) {
        if (present(run)) decided_ += static_cast<std::int64_t>(former_.erase(ticket));
        auto* const keys = of(run, epoch);
        if (!keys) continue;
        if (keys->open->contains(ticket))
            close(*keys, ticket);
        else if (!keys->done->contains(ticket) && left_out_ != Switch::missed_is_not_told)
            missed.push_back(ticket);
    }
    return missed;
}

void HotKeys::release(const RunId& run, const std::vector<StockGate::ClaimName>& claims) {
    for (const auto& [ticket, epoch] : claims) {
        // Its units belonged to the former copy.
        if (present(run)) decided_ += static_cast<std::int64_t>(former_.erase(ticket));
        auto* const keys = of(run, epoch);
        if (!keys) continue;
        const auto at = keys->open->find(ticket);
        if (at == keys->open->end()) continue;
        *keys->left += at->second.ticket.quantity;
        move_units(*keys, at->second.ticket.buyer, -at->second.ticket.quantity);
        close(*keys, ticket);
    }
}

StockGate::UnderWay HotKeys::under_way(const RunId& run) {
    StockGate::UnderWay all;
    if (!present(run)) return all;
    all.decided = decided_;
    visit_open(run, [&](const OpenClaim& claim) {
        ++all.claims;
        if (claim.stage != Stage::handed_off) return;
        const auto at = claim.ticket.claimed_at;
        all.oldest_handed_off = std::min(all.oldest_handed_off.value_or(at), at);
    });
    return all;
}

void HotKeys::move_units(Epoch& keys, UserId buyer, std::int64_t units) {
    (*keys.buyers)[buyer] += units;
    ++changes_of_[buyer];
}

void HotKeys::close(Epoch& keys, const TicketId& ticket) {
    if (left_out_ != Switch::done_is_not_kept) keys.done->insert(ticket);
    keys.open->erase(ticket);
    ++changes_;
    ++decided_;
}

std::optional<std::int64_t> HotKeys::apply(const RunId& run, std::int64_t epoch,
                                           const std::vector<HotChange>& rows) {
    auto* const keys = of(run, epoch);
    if (!keys) return std::nullopt;
    for (const auto& row : rows) {
        if (row.seq <= *keys->applied) continue;
        if (row.seq > *keys->applied + 1) break;
        keys->applied = row.seq;
        *keys->left += row.delta_left;
        if (row.buyer) move_units(*keys, *row.buyer, row.delta_units);
        ++changes_;
    }
    return keys->applied;
}

bool HotKeys::is_too_old(std::int64_t filling) const {
    return left_out_ != Switch::older_fill_counts && epoch_ && filling <= *epoch_;
}

bool HotKeys::begin_fill(const RunId& run, const Filling& filling, std::int64_t left,
                         std::int64_t applied) {
    if (is_too_old(filling.epoch)) return false;
    auto& keys = epochs_[filling.epoch];
    if (keys.run) return false;
    keys = {.left = left,
            .applied = applied,
            .run = run,
            .ledger = filling.ledger,
            .buyers = std::map<UserId, std::int64_t>{},
            .open = std::map<TicketId, OpenClaim>{},
            .done = std::set<TicketId>{}};
    return true;
}

HotKeys::Epoch* HotKeys::draft(const RunId& run, const Filling& filling) {
    if (is_too_old(filling.epoch)) return nullptr;
    const auto at = epochs_.find(filling.epoch);
    if (at == epochs_.end() || !at->second.is_whole()) return nullptr;
    if (*at->second.ledger != filling.ledger) return nullptr;
    const bool goes_on_anywhere = left_out_ == Switch::fill_on_any_run;
    return goes_on_anywhere || is_same(*at->second.run, run) ? &at->second : nullptr;
}

bool HotKeys::fill(const RunId& run, const Filling& filling, const StockGate::Holdings& chunk) {
    auto* const keys = draft(run, filling);
    if (!keys) return false;
    for (const auto& [buyer, units] : chunk) (*keys->buyers)[buyer] = units;
    return true;
}

bool HotKeys::open_epoch(const RunId& run, const Filling& filling) {
    if (!draft(run, filling)) return false;
    // A copy of another run may have lost marks: a claim that was promised would look abandoned.
    if (auto* const old = present(run)) former_.merge(*old->open);
    epoch_ = filling.epoch;
    // Old keys expire. No verb may name them any more.
    epochs_.erase(epochs_.begin(), epochs_.find(*epoch_));
    ++changes_;
    for (const auto& [buyer, units] : *epochs_.at(*epoch_).buyers) ++changes_of_[buyer];
    return true;
}

bool HotKeys::forget(const RunId& run, std::int64_t epoch) {
    const auto* const keys = of(run, epoch);
    if (!keys || !keys->open->empty() || !former_.empty()) return false;
    epochs_.erase(epoch);
    ++changes_;
    return true;
}

StockGate::Glance HotKeys::glance(const RunId& run, UserId buyer) {
    const auto* const keys = present(run);
    if (!keys) return {};
    StockGate::Glance glance{.warm = true, .left = *keys->left};
    const auto known = keys->buyers->find(buyer);
    if (known != keys->buyers->end()) glance.units = known->second;
    glance.history = known != keys->buyers->end() || latest_open(run, buyer);
    const auto changes = changes_of_.find(buyer);
    if (changes != changes_of_.end()) glance.changes = changes->second;
    return glance;
}

std::optional<StockGate::OpenCopy> HotKeys::open_copy(const RunId& run, SaleId sale) {
    const auto* const keys = present(run);
    if (!keys) return std::nullopt;
    return StockGate::OpenCopy{.filling = {sale, epoch(), *keys->ledger},
                               .applied = *keys->applied,
                               .claims = static_cast<std::int64_t>(keys->open->size())};
}

std::optional<StockGate::Snapshot> HotKeys::snapshot(const RunId& run) {
    const auto* const keys = present(run);
    if (!keys) return std::nullopt;
    StockGate::Snapshot snapshot{.epoch = epoch(),
                                 .left = *keys->left,
                                 .applied = *keys->applied,
                                 .open = 0,
                                 .changes = changes_,
                                 .steady = true,
                                 .holdings = {}};
    for (const auto& [id, claim] : *keys->open) snapshot.open += claim.ticket.quantity;
    for (const auto& [buyer, units] : *keys->buyers)
        if (units != 0) snapshot.holdings.emplace_back(buyer, units);
    return snapshot;
}

void HotKeys::lose_key(std::size_t which) {
    ++changes_;
    if (which == 0) return epoch_.reset();
    const auto at = epochs_.find(epoch_.value_or(0));
    if (at == epochs_.end()) return;
    auto& keys = at->second;
    switch (which) {
        case 1:
            return keys.left.reset();
        case 2:
            return keys.applied.reset();
        case 3:
            return keys.run.reset();
        case 4:
            return keys.ledger.reset();
        case 5:
            return keys.buyers.reset();
        case 6:
            return keys.open.reset();
        default:
            return keys.done.reset();
    }
}

}  // namespace sluice::cluster_simulation
