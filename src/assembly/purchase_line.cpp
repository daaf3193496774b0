#include "assembly/purchase_line.hpp"

#include <algorithm>
#include <utility>

namespace sluice {
namespace {

using namespace std::chrono_literals;

/// How long buyers wait who get the outcome in the answer itself.
constexpr auto kPatience = 1s;

}  // namespace

HotCopyKeeper::VisitSales visit_sales_of(const Catalog& catalog) {
    return [&catalog](const HotCopyKeeper::VisitSale& each) {
        catalog.visit_sales(
            [&](const auto& displayed) { each(displayed->sale, displayed->stock->hot_seq()); });
    };
}

PurchaseLine::PurchaseLine(const Parts& parts, const Options& options,
                           const OpenIntake& open_intake)
    : claims(parts.claims),
      admission(options.queued ? kMostQueued : options.intake.backlog, options.intake.batch,
                options.queued ? options.queued->decide_within : kPatience),
      intake([&] {
          auto with_ours = options.intake;
          with_ours.on_hold = [this, theirs = options.intake.on_hold](Timestamp due) {
              claims.on_new_hold(due);
              theirs(due);
          };
          with_ours.on_batch = [this, theirs = options.intake.on_batch](const auto& report) {
              admission.observe(report);
              theirs(report);
          };
          return open_intake(with_ours);
      }()),
      desk(parts.desk),
      turnstile(parts.catalog, parts.gate, parts.passes, parts.marks, admission, *intake,
                parts.clock),
      purchase(claims.make_purchase(*intake, parts.marks, desk)),
      give_back(parts.orders, parts.payments, claims.outbox, parts.clock, parts.ids),
      editor(
          parts.sales, parts.catalog,
          [this](SaleId sale) { return claims.hot_copies.fill_new(sale); },
          [this](Sale sale) { return claims.hot_copies.tell_terms(std::move(sale)); },
          claims.outbox, parts.clock, parts.ids, options.closed),
      queued_(options.queued),
      has_own_copies_(options.has_own_copies),
      is_closed_(options.closed.has_value()),
      catalog_(parts.catalog),
      clock_(parts.clock) {}

Task<> PurchaseLine::open() {
    if (has_own_copies_ && !is_closed_) co_await claims.hot_copies.fill_at_start();
}

void PurchaseLine::employ(Keeper& keeper, const Roles& roles) {
    if (roles.keeper) {
        if (!is_closed_) keeper.employ(claims.copy_rounds);
        keeper.employ(claims.expiry_rounds);
        keeper.employ("claim_reaper", 1s, [this] { return claims.reaper.reap_once(); });
    } else {
        // What this node found missing is known to no other node.
        keeper.employ("suspect_copies", 1s, [this] { return claims.hot_copies.fill_suspects(); });
    }
    if (!roles.edge) return;
    if (queued_)
        keeper.employ("backlog_watch", ClusterBacklog::kPace, [this] { return look_at_backlog(); });
    keeper.employ("place_sweeper", 1s, [this]() -> Task<> {
        std::function<bool(SaleId)> is_selling = [this, now = clock_.now()](SaleId id) {
            const auto shown = catalog_.sale(id);
            return shown && state_at(shown->sale, shown->stock->now(), now) == SaleState::open;
        };
        co_await desk.sweep(std::move(is_selling));
    });
}

Task<> PurchaseLine::look_at_backlog() {
    admission.set_tight(queued_->is_full());
    const auto report = co_await queued_->backlog.look(std::chrono::steady_clock::now());
    if (report) admission.observe(*report);
}

void PurchaseLine::add_metrics(MetricsPage& metrics) const {
    metrics.add_gauge("sluice_purchase_backlog", "Purchases that wait for their commit.",
                      [this] { return static_cast<double>(intake->backlog()); });
    metrics.add_gauge("sluice_admission_rate",
                      "Purchases a second that the ledger commits when it is busy, as measured.",
                      [this] { return admission.rate(); });
    metrics.add_gauge("sluice_admission_window", "Purchases that may be under way at once.",
                      [this] { return static_cast<double>(admission.window()); });
    metrics.add_counter("sluice_admission_refused_total",
                        "Purchases turned away because as many were under way as may be.",
                        [this] { return static_cast<double>(admission.refused()); });
    metrics.add_gauge("sluice_passes_waiting",
                      "Buyers who wait for a pass because the gate is full.",
                      [this] { return static_cast<double>(desk.waiting()); });
    metrics.add_counter("sluice_pass_lapses_total",
                        "Passes that expired unused while their sale was selling.",
                        [this] { return static_cast<double>(desk.lapses()); });
    metrics.add_gauge("sluice_hot_copies", "Sales whose stock is in memory.",
                      [this] { return static_cast<double>(claims.hot_copies.copies()); });
    metrics.add_gauge("sluice_cold_sales",
                      "Sales that have not ended and cannot sell, since their hot copy is missing.",
                      [this] { return static_cast<double>(claims.hot_copies.cold()); });
    metrics.add_gauge("sluice_hot_copies_drifting",
                      "Hot copies that differ from the ledger and have not been filled anew yet.",
                      [this] { return static_cast<double>(claims.hot_copies.drifting()); });
    metrics.add_counter("sluice_hot_copy_drift_total",
                        "Times that a hot copy at rest was found to differ from the ledger.",
                        [this] { return static_cast<double>(claims.hot_copies.drifts()); });
    metrics.add_gauge("sluice_orders_stuck",
                      "Orders that are due and cannot be expired: run sluice audit.",
                      [this] { return static_cast<double>(claims.expirer.stuck()); });
    if (queued_) add_queue_metrics(metrics);
}

void PurchaseLine::add_queue_metrics(MetricsPage& metrics) const {
    metrics.add_gauge("sluice_tickets_under_way",
                      "Tickets of the whole cluster that are claimed and not decided yet.",
                      [this] { return static_cast<double>(queued_->backlog.count()); });
    metrics.add_gauge("sluice_tickets_oldest_seconds",
                      "How long ago the oldest queued ticket was claimed; 0 when none is.", [this] {
                          const auto oldest = queued_->backlog.oldest();
                          if (!oldest) return 0.0;
                          const std::chrono::duration<double> age = clock_.now() - *oldest;
                          return std::max(0.0, age.count());
                      });
    metrics.add_gauge("sluice_tickets_pace",
                      "Tickets a second that the whole cluster decides when it is busy.",
                      [this] { return admission.rate(); });
}

}  // namespace sluice
