#pragma once

#include <functional>

#include "app/catalog/catalog.hpp"
#include "app/catalog/sale_stats.hpp"
#include "domain/hot_copy.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

/// The figures of a sale while it runs, and its history.
class AdminStats {
  public:
    /// Most points in one answer.
    static constexpr std::size_t kMostPoints = 3'600;

    using HotCopies = std::function<HotCopyFinding(SaleId)>;

    AdminStats(SaleStats& stats, const Catalog& catalog, HotCopies hot_copies, const Clock& clock)
        : stats_(stats), catalog_(catalog), hot_copies_(std::move(hot_copies)), clock_(clock) {}

    http::Pending show(http::Exchange& exchange);
    http::Pending show_history(http::Exchange& exchange);

  private:
    Task<> answer_live(http::Exchange& exchange, std::shared_ptr<const DisplayedSale> sale);
    Task<> answer_history(http::Exchange& exchange, StatsLedger::Stretch stretch,
                          std::size_t limit);

    SaleStats& stats_;
    const Catalog& catalog_;
    const HotCopies hot_copies_;
    const Clock& clock_;
};

}  // namespace sluice::api
