#pragma once

#include <functional>

#include "app/purchase/claim_settler.hpp"
#include "app/purchase/hot_outbox.hpp"
#include "app/purchase/purchase.hpp"
#include "workers/claim_reaper.hpp"
#include "workers/hold_expirer.hpp"
#include "workers/hot_copy_keeper.hpp"
#include "workers/periodic.hpp"

namespace sluice {

/// What every node has, whatever its roles: it settles claims, fills hot copies and expires holds.
/// It knows no catalog and no intake. The simulation of a cluster runs this same class.
class ClaimLine {
  public:
    struct Parts {
        StockGate& gate;
        OrderLedger& orders;
        HotCopyKeeper::VisitSales visit_sales;
        const Clock& clock;
        Log& log;
        /// While it returns false, nothing is expired.
        std::function<bool()> is_time_proven = [] { return true; };
    };
    explicit ClaimLine(const Parts& parts);

    /// Purchases whose claims this line settles. What is given and the line outlive them.
    Purchase make_purchase(OrderIntake& intake, const TicketMarks& marks, EntryDesk& desk);

    /// To be called when an order was made that is due then. From any thread.
    void on_new_hold(Timestamp due) {
        if (expirer.is_sooner(due)) expiry_rounds.wake();
    }

  private:
    StockGate& gate_;
    OrderLedger& orders_;

  public:
    HotOutbox outbox;
    HotCopyKeeper hot_copies;
    ClaimSettler settler;
    ClaimReaper reaper;
    HoldExpirer expirer;
    Periodic copy_rounds;
    Periodic expiry_rounds;
};

}  // namespace sluice
