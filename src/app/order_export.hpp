#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "app/actor.hpp"
#include "ports/clock.hpp"
#include "ports/order_list.hpp"
#include "ports/trail_ledger.hpp"

namespace sluice {

/// All orders of a filter, page by page. No page holds on to the ledger while the one before is
/// being sent, so an export may take an hour and nothing waits for it: each order is told as it is
/// when its page is read, once, and those made after the beginning are left out.
class OrderExport {
  public:
    static constexpr std::size_t kPage = 500;
    static constexpr int kAtOnce = 4;

    OrderExport(OrderList& list, TrailLedger& trail, const Clock& clock, IdSource& ids)
        : list_(list), trail_(trail), clock_(clock), ids_(ids) {}

    /// One that is under way. The OrderExport outlives it.
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

    /// Notes in the audit trail who takes what, before anything is given. Null when kAtOnce are
    /// under way. May throw Outage.
    Task<std::unique_ptr<Walk>> begin(OrderList::Wanted wanted, Actor actor);

  private:
    OrderList& list_;
    TrailLedger& trail_;
    const Clock& clock_;
    IdSource& ids_;
    std::atomic<int> under_way_ = 0;
};

}  // namespace sluice
