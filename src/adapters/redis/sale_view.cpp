#include "adapters/redis/sale_view.hpp"

#include <algorithm>

namespace sluice::redis {

StockGate::Glance SaleView::glance(UserId buyer) const {
    if (!is_warm_) return {};
    StockGate::Glance glance{.warm = true, .left = shown_left_, .claims = claims_};
    const Share& share = shares_[share_of(buyer)];
    const MutexLock lock(share.mutex);
    const auto at = share.held.find(buyer);
    if (at == share.held.end()) return glance;
    glance.units = at->second.units;
    glance.history = true;
    glance.changes = at->second.changes;
    return glance;
}

Position SaleView::position() const {
    const MutexLock lock(mutex_);
    return position_;
}

void SaleView::hear(const LogEntry& entry) {
    const MutexLock lock(mutex_);
    // An epoch that is not read yet, or no longer current: the units are not those of this copy.
    if (entry.at.epoch != position_.epoch) return note_past(entry.buyer);
    if (entry.at.place <= position_.place) return;
    learn(entry);
    if (entry.at.place == position_.place + 1) ++position_.place;
    show();
}

void SaleView::note(const LogEntry& state) {
    const MutexLock lock(mutex_);
    if (state.at.epoch != position_.epoch) return note_past(state.buyer);
    // What is known already is not a change; the log reports those in between.
    if (!is_known(state)) learn(state);
    show();
}

bool SaleView::is_known(const LogEntry& state) const {
    const Share& share = shares_[share_of(state.buyer)];
    const MutexLock lock(share.mutex);
    const auto at = share.held.find(state.buyer);
    return at != share.held.end() && at->second.units == state.units;
}

bool SaleView::follow(const LogEntry& entry) {
    const MutexLock lock(mutex_);
    if (entry.at.epoch != position_.epoch) return false;
    if (entry.at.place <= position_.place) return true;
    if (entry.at.place != position_.place + 1) return false;
    learn(entry);
    ++position_.place;
    show();
    return true;
}

void SaleView::learn(const LogEntry& entry) {
    if (entry.at.place > left_place_) {
        left_place_ = entry.at.place;
        left_ = entry.left;
    }
    if (entry.buyer.value == 0) return;
    Share& share = shares_[share_of(entry.buyer)];
    const MutexLock lock(share.mutex);
    const auto [at, is_new] = share.held.try_emplace(entry.buyer);
    auto& held = at->second;
    if (!is_new && entry.at.place <= held.place) return;
    held.place = entry.at.place;
    held.units = static_cast<std::int32_t>(entry.units);
    ++held.changes;
}

void SaleView::note_past(UserId buyer) {
    if (buyer.value == 0) return;
    Share& share = shares_[share_of(buyer)];
    const MutexLock lock(share.mutex);
    ++share.held[buyer].changes;
}

void SaleView::load(const ReadCopy& copy, Clock::time_point asked_at) {
    const MutexLock lock(mutex_);
    if (copy.at < position_) return;
    loaded_at_ = std::max(loaded_at_.load(), asked_at);
    if (copy.at == position_) return;
    const bool is_same_epoch = copy.at.epoch == position_.epoch;
    replace(copy, is_same_epoch);
    if (!is_same_epoch || copy.at.place > left_place_) {
        left_ = copy.left;
        left_place_ = copy.at.place;
    }
    position_ = copy.at;
    is_warm_ = true;
    if (!is_same_epoch) told_sold_out_.reset();
    show();
}

/// A buyer who is not in the new copy stays known as somebody with a past, and their changes are
/// counted further. A glance meanwhile finds a buyer as before or as now, never forgotten.
void SaleView::replace(const ReadCopy& copy, bool is_same_epoch) {
    std::array<All, kShares> fresh;
    for (auto& held : fresh) held.reserve(copy.units.size() / kShares);
    for (const auto& [buyer, units] : copy.units)
        fresh[share_of(buyer)][buyer] = {
            .place = copy.at.place, .units = static_cast<std::int32_t>(units), .changes = 0};
    for (std::size_t i = 0; i < kShares; ++i) {
        const MutexLock lock(shares_[i].mutex);
        for (const auto& [buyer, known] : shares_[i].held) {
            auto& held = fresh[i][buyer];
            const bool is_ahead = is_same_epoch && known.place > copy.at.place;
            if (is_ahead) held = known;
            held.changes = known.changes + 1;
        }
        shares_[i].held.swap(fresh[i]);
    }
}

void SaleView::close(std::int64_t epoch) {
    const MutexLock lock(mutex_);
    if (position_.epoch != epoch) return;
    is_warm_ = false;
    position_ = {};
    told_sold_out_.reset();
}

void SaleView::signal_sold_out_again() {
    const MutexLock lock(mutex_);
    if (!is_warm_ || shown_left_ > 0) return;
    told_sold_out_.reset();
    show();
}

void SaleView::show() {
    const bool has_read_all = position_.place >= left_place_;
    const auto left = has_read_all ? left_ : std::max(left_, std::int64_t{1});
    shown_left_ = left;
    const bool is_sold_out = left <= 0;
    if (told_sold_out_ == is_sold_out) return;
    told_sold_out_ = is_sold_out;
    if (!signals_) return;
    if (is_sold_out)
        signals_->sold_out(sale_);
    else
        signals_->restocked(sale_);
}

}  // namespace sluice::redis
