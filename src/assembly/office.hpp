#pragma once

#include "api/office/admin_audit.hpp"
#include "api/office/admin_blocks.hpp"
#include "api/office/admin_holds.hpp"
#include "api/office/admin_limits.hpp"
#include "api/office/admin_lists.hpp"
#include "api/office/admin_orders.hpp"
#include "api/office/admin_queue.hpp"
#include "api/office/admin_stats.hpp"
#include "api/office/admin_trail.hpp"
#include "api/office/orders_csv.hpp"
#include "api/shop/funnel_recorder.hpp"
#include "app/catalog/buyer_list_editor.hpp"
#include "app/catalog/sale_stats.hpp"
#include "app/office/block_book.hpp"
#include "app/office/limit_editor.hpp"
#include "app/orders/buyer_search.hpp"
#include "app/orders/delivery_desk.hpp"
#include "app/orders/holds_desk.hpp"
#include "app/orders/order_export.hpp"
#include "app/purchase/parked_desk.hpp"
#include "app/purchase/queue_figures.hpp"
#include "assembly/binding.hpp"
#include "assembly/keeper.hpp"
#include "assembly/purchase_line.hpp"
#include "base/id_source.hpp"
#include "domain/limit_scope.hpp"
#include "domain/phone.hpp"
#include "domain/rate_limits.hpp"
#include "gate/block_list.hpp"
#include "gate/rates.hpp"
#include "observe/log.hpp"
#include "observe/metrics.hpp"
#include "ports/auditor.hpp"
#include "ports/clock.hpp"
#include "ports/ledgers.hpp"

namespace sluice {

/// What operators see and do apart from items and sales: figures, orders, holds, blocks, limits,
/// the trail and the audit.
class Office {
  public:
    struct Parts {
        Catalog& catalog;
        PurchaseLine& line;
        const StockGate& gate;
        Auditor& auditor;
        gate::BlockList& block_list;
        gate::RatesInForce& rates;
        FunnelCounts& funnel_counts;
        SaleStats::Node node;
        std::string provider;  // of payments; empty if there is none
        PhoneForm phone_form;
        Ledgers& ledgers;
        TicketLedger& tickets;
        ReadQueue read_queue;
        const RateLimits& configured_rates;
        const LimitScope& limit_scope;
        const Clock& clock;
        IdSource& ids;
        Log& log;
    };
    /// Reads blocks and limits. May throw Outage.
    explicit Office(const Parts& parts);

    /// `bind_changes` binds the routes that change a sale.
    void bind(const Bind& bind, const Bind& bind_changes);
    void employ(Keeper& keeper);
    void add_metrics(MetricsPage& metrics) const;
    /// After the last request: writes what is not written yet. May throw Outage.
    Task<> stop() { return sale_stats_.close(); }

    /// What this node has committed. From any thread, without waiting.
    void hear(std::span<const BuyerNews> news) { sale_stats_.note(news); }
    /// To be called when another process has changed the ledger. From any thread.
    void read_again() {
        block_rounds_.wake();
        limit_rounds_.wake();
    }

    LimitEditor limit_editor;
    api::FunnelRecorder funnel_recorder;

  private:
    SaleStats sale_stats_;
    BlockBook block_book_;
    Periodic block_rounds_;
    Periodic limit_rounds_;
    HoldsDesk holds_desk_;
    BuyerSearch buyer_search_;
    OrderExport order_export_;
    DeliveryDesk delivery_desk_;
    ParkedDesk parked_desk_;
    BuyerListEditor buyer_list_editor_;
    api::AdminAudit admin_audit_;
    api::AdminStats admin_stats_;
    api::AdminOrders admin_orders_;
    api::OrdersCsv orders_csv_;
    api::AdminBlocks admin_blocks_;
    api::AdminHolds admin_holds_;
    api::AdminTrail admin_trail_;
    api::AdminLimits admin_limits_;
    api::AdminQueue admin_queue_;
    api::AdminLists admin_lists_;
};

}  // namespace sluice
