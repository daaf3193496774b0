#include "assembly/checkout.hpp"

namespace sluice {
namespace {

/// What it says of its messages is as of its last look, and leaves out those that writers have.
FindTicket::MayHoldTickets queue_of(const BrokerTier* broker) {
    if (!broker) return nullptr;
    return [broker] {
        const auto state = broker->state();
        return !state.is_connected || state.messages > 0;
    };
}

}  // namespace

Checkout::Checkout(const Parts& parts, const Options& options)
    : challenges_(
          options.work_key,
          [&line = parts.line] { return line.admission.load(line.intake->backlog()); },
          parts.random, parts.clock, options.challenges),
      attempts_(options.hash_key, parts.exchange),
      absent_tickets_(options.hash_key, options.absence_sets),
      absent_orders_(options.hash_key, options.absence_sets),
      network_holders_(parts.orders, parts.clock),
      network_notes_(parts.hold_networks, parts.clock),
      listed_buyers_(parts.buyer_lists, parts.phone_form, parts.clock),
      issue_pass_(challenges_, parts.line.desk, parts.catalog, parts.gate, parts.orders,
                  network_holders_, listed_buyers_, parts.clock),
      find_ticket_(parts.catalog, parts.gate, parts.orders, absent_tickets_, parts.clock,
                   queue_of(parts.broker)),
      decisions_(parts.orders),
      entrance_(issue_pass_, parts.catalog, parts.guesses, attempts_, parts.limit_scope,
                parts.rates),
      listing_(listed_buyers_, parts.catalog),
      buying_(parts.line.turnstile, parts.line.purchase, find_ticket_, decisions_, network_notes_),
      orders_(parts.orders, parts.deliveries, parts.line.give_back, absent_orders_, parts.catalog) {
}

void Checkout::bind(const Bind& bind) {
    bind("create_challenge", to(entrance_, &api::Entrance::create_challenge));
    bind("show_listing", to(listing_, &api::Listing::show));
    bind("create_pass", to(entrance_, &api::Entrance::create_pass));
    bind("buy", to(buying_, &api::Buying::buy));
    bind("show_ticket", to(buying_, &api::Buying::show_ticket));
    bind("show_my_ticket", to(buying_, &api::Buying::show_my_ticket));
    bind("list_orders", to(orders_, &api::Orders::list));
    bind("show_order", to(orders_, &api::Orders::show));
    bind("cancel_order", to(orders_, &api::Orders::cancel));
}

void Checkout::employ(Keeper& keeper) {
    keeper.employ("decision_watch", DecisionWatch::kPause, [this] { return decisions_.look(); });
    keeper.employ("network_notes", NetworkNotes::kPace,
                  [this] { return network_notes_.write_some(); });
}

void Checkout::add_metrics(MetricsPage& metrics) const {
    metrics.add_gauge("sluice_tickets_awaited",
                      "Requests that wait for what comes of a queued ticket.",
                      [this] { return static_cast<double>(decisions_.waiting()); });
    metrics.add_gauge("sluice_challenge_waiting_drawings", "Formulas that wait to be drawn.",
                      [this] { return static_cast<double>(challenges_.waiting_drawings()); });
}

}  // namespace sluice
