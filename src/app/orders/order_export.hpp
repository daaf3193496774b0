#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "app/office/actor.hpp"
#include "ports/clock.hpp"
#include "ports/order_list.hpp"
#include "ports/trail_ledger.hpp"

namespace sluice {

/// All orders of a filter, page by page. The ledger is not held while a page is being sent, so an
/// export may take an hour and nothing waits for it. Each order is listed once, as it is when its
/// page is read; orders made after the beginning are left out.
class OrderExport {
  public:
    static constexpr std::size_t kPage = 500;
    static constexpr int kAtOnce = 4;

    OrderExport(OrderList& list, TrailLedger& trail, const Clock& clock, IdSource& ids)
        : list_(list), trail_(trail), clock_(clock), ids_(ids) {}

    /// An export that is under way. The OrderExport outlives it.
    class Walk {
      public:
        Walk(OrderExport& owner, OrderList::Wanted wanted);
        ~Walk();
        Walk(const Walk&) = delete;
        Walk& operator=(const Walk&) = delete;

        /// Empty when there are no more. May throw Outage.
        Task<std::vector<OrderList::Row>> next();

      private:
        OrderExport& owner_;
        OrderList::Wanted wanted_;
    };

    /// First notes in the audit trail who takes which list. Null when kAtOnce are under way. May
    /// throw Outage.
    Task<std::unique_ptr<Walk>> begin(OrderList::Wanted wanted, Actor actor);

  private:
    OrderList& list_;
    TrailLedger& trail_;
    const Clock& clock_;
    IdSource& ids_;
    std::atomic<int> under_way_ = 0;
};

}  // namespace sluice
