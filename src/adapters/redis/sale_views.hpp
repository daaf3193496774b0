#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "adapters/redis/sale_view.hpp"
#include "base/shared_mutex.hpp"

namespace sluice::redis {

/// The views of all sales that this process knows of.
class SaleViews {
  public:
    using Clock = SaleView::Clock;
    using All = std::vector<std::pair<SaleId, std::shared_ptr<SaleView>>>;

    /// What was read longer ago than `freshness` does not count: a buyer may have claimed elsewhere
    /// since.
    SaleViews(StockSignals* signals, std::chrono::milliseconds freshness)
        : signals_(signals), freshness_(freshness) {}

    /// Allocates nothing.
    StockGate::Glance glance(SaleId sale, UserId buyer) const {
        const SharedLock kept(mutex_);
        const auto at = views_.find(sale);
        if (at == views_.end()) return {};
        const auto& view = *at->second;
        const auto heard_at = std::max(heard_at_.load(), view.loaded_at());
        if (heard_at <= lost_at_.load() || Clock::now() - heard_at > freshness_) return {};
        return view.glance(buyer);
    }

    /// Makes it when there is none.
    std::shared_ptr<SaleView> of(SaleId sale) {
        if (auto known = find(sale)) return known;
        const ExclusiveLock alone(mutex_);
        auto& view = views_[sale];
        if (!view) view = std::make_shared<SaleView>(sale, signals_);
        return view;
    }
    /// nullptr when there is none.
    std::shared_ptr<SaleView> find(SaleId sale) const {
        const SharedLock kept(mutex_);
        const auto at = views_.find(sale);
        return at == views_.end() ? nullptr : at->second;
    }
    All all() const {
        const SharedLock kept(mutex_);
        return All(views_.begin(), views_.end());
    }
    void drop(SaleId sale) {
        const ExclusiveLock alone(mutex_);
        views_.erase(sale);
    }
    /// Everything that had happened until then has been read.
    void note_heard(Clock::time_point at) { heard_at_ = at; }
    /// Redis does not answer: what other nodes did a moment ago may never be known here. So nothing
    /// is known until it answers again.
    void note_lost() { lost_at_ = Clock::now(); }

  private:
    StockSignals* const signals_;
    const std::chrono::milliseconds freshness_;
    std::atomic<Clock::time_point> heard_at_{}, lost_at_{};
    mutable SharedMutex mutex_;
    boost::unordered_flat_map<SaleId, std::shared_ptr<SaleView>, std::hash<SaleId>> views_
        GUARDED_BY(mutex_);
};

}  // namespace sluice::redis
