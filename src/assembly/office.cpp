#include "assembly/office.hpp"

#include "base/run_to_end.hpp"
#include "http/problem.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

api::AdminAudit::HotCopies findings_of(const HotCopyKeeper& hot_copies) {
    return [&hot_copies](SaleId sale) { return hot_copies.finding(sale); };
}

}  // namespace

Office::Office(const Parts& parts)
    : limit_editor(
          parts.ledgers.settings(), parts.configured_rates,
          [&rates = parts.rates](const RateLimits& limits) { rates.set(limits); }, parts.clock,
          parts.ids),
      funnel_recorder(parts.funnel_counts, parts.catalog),
      sale_stats_(
          parts.funnel_counts, http::code_names(), parts.catalog, parts.gate, parts.ledgers.stats(),
          [&line = parts.line] { return line.intake->backlog(); }, parts.clock, parts.node),
      block_book_(
          parts.ledgers.blocks(), parts.clock, parts.ids,
          [&list = parts.block_list](std::span<const Block> blocks) { list.replace(blocks); }),
      block_rounds_(
          "block_refresher", 1h, [this] { return block_book_.reload(); }, parts.log),
      limit_rounds_(
          "limit_refresher", 1h, [this]() -> Task<> { co_await limit_editor.load(); }, parts.log),
      holds_desk_(parts.ledgers.order_list(), parts.ledgers.orders(), block_book_,
                  parts.line.claims.outbox, parts.clock, parts.ids),
      buyer_search_(parts.ledgers.users(), parts.phone_form),
      order_export_(parts.ledgers.order_list(), parts.ledgers.trail(), parts.clock, parts.ids),
      delivery_desk_(parts.ledgers.deliveries(), parts.clock, parts.ids),
      parked_desk_(parts.ledgers.parked(), parts.tickets, parts.ledgers.orders(),
                   parts.line.claims.settler, parts.clock, parts.ids),
      buyer_list_editor_(parts.ledgers.buyer_lists(), parts.ledgers.trail(), parts.catalog,
                         parts.phone_form, parts.clock, parts.ids),
      admin_audit_(parts.auditor, parts.catalog, findings_of(parts.line.claims.hot_copies)),
      admin_stats_(sale_stats_, parts.catalog, findings_of(parts.line.claims.hot_copies),
                   parts.clock),
      admin_orders_(parts.ledgers.order_list(), buyer_search_, parts.ledgers.users(),
                    parts.ledgers.payments(), parts.ledgers.deliveries(), delivery_desk_,
                    parts.ledgers.contacts(), parts.line.give_back, parts.provider, parts.catalog),
      orders_csv_(order_export_, buyer_search_, parts.ledgers.contacts(), parts.catalog),
      admin_blocks_(block_book_),
      admin_holds_(holds_desk_, parts.catalog),
      admin_trail_(parts.ledgers.trail()),
      admin_limits_(limit_editor, parts.limit_scope),
      admin_queue_(parts.read_queue, parts.ledgers.parked(), parts.tickets, parked_desk_),
      admin_lists_(buyer_list_editor_, parts.catalog) {
    run_to_end(block_book_.reload());
    for (const auto& name : run_to_end(limit_editor.load()))
        parts.log.warn("limits.setting_passed_over", {{"name", name}});
}

void Office::bind(const Bind& bind, const Bind& bind_changes) {
    bind("show_stats", to(admin_stats_, &api::AdminStats::show));
    bind("list_stats_history", to(admin_stats_, &api::AdminStats::show_history));
    bind("audit_sale", to(admin_audit_, &api::AdminAudit::audit));
    bind("show_holds", to(admin_holds_, &api::AdminHolds::show));
    bind("give_back_holds", to(admin_holds_, &api::AdminHolds::give_back));
    bind("list_any_orders", to(admin_orders_, &api::AdminOrders::list));
    bind("export_orders", to(orders_csv_, &api::OrdersCsv::download));
    bind("show_any_order", to(admin_orders_, &api::AdminOrders::show));
    bind("refund_order", to(admin_orders_, &api::AdminOrders::refund));
    bind("note_sent_back", to(admin_orders_, &api::AdminOrders::note_sent_back));
    bind("change_delivery", to(admin_orders_, &api::AdminOrders::deliver));
    bind("list_blocks", to(admin_blocks_, &api::AdminBlocks::list));
    bind("show_block", to(admin_blocks_, &api::AdminBlocks::show));
    bind("put_block", to(admin_blocks_, &api::AdminBlocks::put));
    bind("lift_block", to(admin_blocks_, &api::AdminBlocks::lift));
    bind("list_audit_trail", to(admin_trail_, &api::AdminTrail::list));
    bind("show_queue", to(admin_queue_, &api::AdminQueue::show));
    bind("list_parked_tickets", to(admin_queue_, &api::AdminQueue::list_parked));
    bind("retry_ticket", to(admin_queue_, &api::AdminQueue::retry));
    bind("refuse_ticket", to(admin_queue_, &api::AdminQueue::refuse));
    bind("show_buyer_list", to(admin_lists_, &api::AdminLists::show));
    bind_changes("replace_buyer_list", to(admin_lists_, &api::AdminLists::replace));
    bind_changes("extend_buyer_list", to(admin_lists_, &api::AdminLists::extend));
    bind_changes("clear_buyer_list", to(admin_lists_, &api::AdminLists::clear));
    bind("export_buyer_list", to(admin_lists_, &api::AdminLists::download));
    bind("show_limits", to(admin_limits_, &api::AdminLimits::show));
    bind("change_limits", to(admin_limits_, &api::AdminLimits::change));
}

void Office::employ(Keeper& keeper) {
    keeper.employ("stats_gatherer", 500ms, [this] { return sale_stats_.gather(); });
    keeper.employ(block_rounds_);
    keeper.employ(limit_rounds_);
}

void Office::add_metrics(MetricsPage& metrics) const {
    metrics.add_counter("sluice_stats_points_given_up_total",
                        "Points of sales' histories that found no room to wait for being written.",
                        [this] { return static_cast<double>(sale_stats_.points_given_up()); });
}

}  // namespace sluice
