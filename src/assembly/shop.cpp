#include "assembly/shop.hpp"

#include "assembly/server_setup.hpp"
#include "base/run_to_end.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

/// The rest is for requests: whoever has no stream can still ask.
std::size_t most_streams(const HttpFront& front) {
    return front.connections - front.connections / 4;
}

PurchaseLine::Parts line_parts(const Foundation& base, const Shop::Parts& parts,
                               const TicketMarks& marks) {
    return {.catalog = parts.catalog,
            .gate = parts.hot.gate(),
            .sales = base.ledgers.catalog(),
            .orders = base.ledgers.orders(),
            .payments = base.ledgers.payments(),
            .passes = parts.passes.passes,
            .marks = marks,
            .random = base.random,
            .clock = base.clock,
            .ids = base.ids,
            .log = base.log};
}

Counter::Options counter_options(const Foundation& base) {
    return {.work_key = new_work_key(base.random),
            .challenges = {.work_bits = base.config.challenge.pow_bits,
                           .draw_threads = base.config.challenge.draw_threads,
                           .draw_backlog = base.config.challenge.draw_backlog},
            .hash_key = base.keys.limits};
}

/// The disk may be full when we end: then what was written before stays.
void write_last(Task<> write, Log& log, std::string_view event) {
    try {
        run_to_end(std::move(write));
    } catch (const std::exception& failure) {
        log.warn(event, {{"reason", failure.what()}});
    }
}

}  // namespace

Shop::Shop(const Foundation& base, const Parts& parts, const Loaded& loaded)
    : parts_(parts),
      ledgers_(base.ledgers),
      log_(base.log),
      has_found_holds_(run_to_end(base.ledgers.orders().next_due({})).has_value()),
      receipts_(base.keys.receipts, base.clock, base.ledgers.receipts()),
      marks_(run_to_end(base.ledgers.settings().ticket_key(base.keys.tickets))),
      gatehouse_(base, parts.hot.sessions()),
      streams_(base, parts.catalog, parts.hot.sessions(), gatehouse_.block_list,
               parts.front.server.executors(), most_streams(parts.front)),
      intake_watch_(base),
      line(line_parts(base, parts, marks_),
           {.intake = intake_watch_.options(base.config.ledger),
            .closed = parts.ledger.loss() ? std::optional(Detail::orders_lost) : std::nullopt,
            .is_time_sure =
                [this, &clock = base.clock] {
                    return !has_found_holds_ || !clock.status().unproven;
                }},
           [&base](const IntakeOptions& options) {
               return base.ledgers.open_intake(base.clock, base.ids, options);
           }),
      accounts(base, parts.hot.sessions(), receipts_, parts.keeper.loop()),
      shop_front(base, parts.catalog, line.editor, receipts_),
      counter_({.line = line,
                .catalog = parts.catalog,
                .gate = parts.hot.gate(),
                .orders = base.ledgers.orders(),
                .guesses = gatehouse_.guess_limiter,
                .random = base.random,
                .clock = base.clock},
               counter_options(base)),
      money_(base, line.outbox, receipts_, parts.front.own_endpoint(), parts.keeper.loop()),
      webhooks_(base, parts.catalog, receipts_, parts.keeper.loop()),
      office_(base, {.catalog = parts.catalog,
                     .line = line,
                     .gate = parts.hot.gate(),
                     .auditor = parts.ledger.auditor(),
                     .block_list = gatehouse_.block_list,
                     .rates = gatehouse_.rates,
                     .funnel_counts = parts.front.funnel_counts,
                     .provider = money_.provider_name()}),
      upkeep_(base, line, intake_watch_.failures.listener()),
      machine_room_(base, {.ledger = parts.ledger,
                           .server = parts.front.server,
                           .line = line,
                           .catalog = parts.catalog,
                           .provider = money_.provider_name(),
                           .has_found_holds = has_found_holds_}),
      catalog_rounds_(
          "catalog_refresher", 1h,
          [this]() -> Task<> {
              co_await parts_.catalog.reload();
              line.copy_rounds.wake();
          },
          base.log),
      reload_(loaded, base.log, base.limit_scope, office_.limit_editor, [this] { refresh(); }) {
    hear_of_news();
    run_to_end(line.open());
    bind_routes();
    employ_workers();
    add_metrics();
}

void Shop::hear_of_news() {
    ledgers_.on_news(
        [this](const NewsEdition& news) {
            for (const auto& sale : news.sales) parts_.catalog.put_news(sale);
            streams_.hub.tell(news.buyers);
        },
        [this](UserId buyer) { return streams_.hub.may_want(buyer); });
}

void Shop::bind_routes() {
    const auto bind = gatehouse_.binder();
    accounts.bind(bind);
    shop_front.bind(bind);
    counter_.bind(bind);
    streams_.bind(bind);
    money_.bind(bind);
    webhooks_.bind(bind);
    office_.bind(bind);
    machine_room_.bind(bind);
    gatehouse_.front_door.check_bound();
}

void Shop::employ_workers() {
    auto& keeper = parts_.keeper;
    machine_room_.employ(keeper);
    parts_.ledger.employ(keeper);
    parts_.hot.employ(keeper);
    parts_.passes.employ(keeper);
    line.employ(keeper);
    accounts.employ(keeper);
    counter_.employ(keeper);
    streams_.employ(keeper);
    money_.employ(keeper);
    webhooks_.employ(keeper);
    office_.employ(keeper);
    upkeep_.employ(keeper);
    keeper.employ(catalog_rounds_);
}

void Shop::add_metrics() {
    auto& metrics = machine_room_.metrics;
    parts_.front.add_metrics(metrics);
    parts_.ledger.add_metrics(metrics);
    intake_watch_.add_metrics(metrics);
    line.add_metrics(metrics);
    accounts.add_metrics(metrics);
    counter_.add_metrics(metrics);
    streams_.add_metrics(metrics);
    money_.add_metrics(metrics);
    webhooks_.add_metrics(metrics);
    office_.add_metrics(metrics);
}

void Shop::refresh() {
    parts_.passes.read_keys_again();
    catalog_rounds_.wake();
    office_.read_blocks_again();
}

void Shop::run() {
    auto& server = parts_.front.server;
    auto workers = parts_.keeper.start(
        {.on_end = [&] { server.drain(); }, .on_reload = [this] { reload_.run(); }});
    ledgers_.on_commit([this] { webhooks_.hear_commit(); });
    ledgers_.on_external_change([this] {
        parts_.hot.forget_sessions();
        catalog_rounds_.wake();
        office_.read_blocks_again();
    });
    server.run({.serve = [this](auto& exchange) { return gatehouse_.front_door.serve(exchange); },
                .on_answer =
                    [this](unsigned thread, const auto& exchange, auto took) {
                        office_.funnel_recorder.record(thread, exchange, took);
                    }});
    ledgers_.on_commit([] {});
    ledgers_.on_external_change([] {});
    accounts.stop();
    workers.end();
    write_last(parts_.hot.stop(), log_, "sessions.not_written");
    write_last(office_.stop(), log_, "stats.not_written");
}

}  // namespace sluice
