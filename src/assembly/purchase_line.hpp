#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "app/catalog/catalog.hpp"
#include "app/catalog/sale_editor.hpp"
#include "app/orders/give_back.hpp"
#include "app/purchase/admission.hpp"
#include "app/purchase/cluster_backlog.hpp"
#include "app/purchase/turnstile.hpp"
#include "assembly/keeper.hpp"
#include "config/config.hpp"
#include "observe/metrics.hpp"
#include "workers/claim_line.hpp"

namespace sluice {

/// For a ClaimLine: all sales of the catalog.
HotCopyKeeper::VisitSales visit_sales_of(const Catalog& catalog);

/// Everything that sells and takes back, from the pass to the order, over any hot copy and ledger.
/// The simulation runs this same class over ports that fail.
class PurchaseLine {
  public:
    struct Parts {
        ClaimLine& claims;
        Catalog& catalog;
        StockGate& gate;
        EntryDesk& desk;
        CatalogLedger& sales;
        OrderLedger& orders;
        PaymentLedger& payments;
        const Passes& passes;
        const TicketMarks& marks;
        const Clock& clock;
        IdSource& ids;
        Log& log;
    };
    /// For an intake that queues: the writers of the whole cluster decide what it queues.
    struct Queued {
        ClusterBacklog& backlog;
        std::chrono::seconds decide_within;  // for what is let in
        std::function<bool()> is_full;       // the queue takes no messages; from any thread
    };
    /// Tickets that may be under way in a cluster, however fast it is.
    static constexpr std::size_t kMostQueued = 1'000'000;

    struct Options {
        IntakeOptions intake;
        std::optional<Queued> queued = {};
        /// Whether the hot copies end with this process, and no other process fills them.
        bool has_own_copies = true;
        /// Why no sale may open, if so.
        std::optional<Detail> closed;
    };
    using OpenIntake = std::function<std::unique_ptr<OrderIntake>(const IntakeOptions&)>;

    /// The line adds its own callbacks to those of the intake's options.
    PurchaseLine(const Parts& parts, const Options& options, const OpenIntake& open_intake);

    /// Fills the hot copies of this process, before anybody can claim. Does nothing while no sale
    /// may open. Copies that other processes fill too are left to the keeper, which begins a new
    /// epoch for each: an epoch must not come twice.
    Task<> open();

    /// Employs the workers that the node's roles need.
    void employ(Keeper& keeper, const Roles& roles);
    void add_metrics(MetricsPage& metrics) const;

    ClaimLine& claims;
    Admission admission;
    const std::unique_ptr<OrderIntake> intake;
    EntryDesk& desk;
    const Turnstile turnstile;
    Purchase purchase;
    GiveBack give_back;
    SaleEditor editor;

  private:
    Task<> look_at_backlog();
    void add_queue_metrics(MetricsPage& metrics) const;

    const std::optional<Queued> queued_;
    const bool has_own_copies_;
    const bool is_closed_;
    const Catalog& catalog_;
    const Clock& clock_;
};

}  // namespace sluice
