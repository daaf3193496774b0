#pragma once

#include <cstddef>
#include <vector>

#include "base/task.hpp"
#include "domain/stats.hpp"

namespace sluice {

/// The funnels of all sales and their history. May throw Outage, as UserLedger; each call may be
/// repeated.
class StatsLedger {
  public:
    virtual ~StatsLedger() = default;

    /// What put_totals() has stored last for the sales: a row for each node, in any order.
    virtual Task<std::vector<NodeTotals>> totals(std::vector<SaleId> sales) = 0;

    /// The orders as they are now, counted with the orders themselves, and the stock that they
    /// leave: both of each sale as of one commit. In the order of the sales; zeros for a sale that
    /// does not exist.
    virtual Task<std::vector<SaleTally>> tallies(std::vector<SaleId> sales) = 0;

    struct Points {
        Resolution resolution = Resolution::second;
        std::vector<StatsPoint> points;
    };
    /// A repeated point replaces the stored one of the same node.
    virtual Task<Done> add_points(Points points) = 0;

    /// Sales and nodes that are not named stay as they are.
    virtual Task<Done> put_totals(std::vector<NodeTotals> totals) = 0;

    struct Stretch {
        SaleId sale;
        Resolution resolution = Resolution::second;
        Timestamp from;  // of a point's beginning
        Timestamp to;    // exclusive
    };
    /// The earliest first, those of one instant sorted by node. At most `limit` instants, each with
    /// all its nodes.
    virtual Task<std::vector<StatsPoint>> history(Stretch stretch, std::size_t limit) = 0;

    /// Removes points that began before, at most `limit`; returns how many.
    virtual Task<std::size_t> prune(Resolution resolution, Timestamp before, std::size_t limit) = 0;
};

}  // namespace sluice
