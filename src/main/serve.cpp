#include <csignal>
#include <iostream>

#include "adapters/memory/memory_session_store.hpp"
#include "adapters/memory/memory_stock_gate.hpp"
#include "adapters/sqlite/upkeep/audit.hpp"
#include "adapters/sqlite/upkeep/log_watch.hpp"
#include "adapters/system/system_clock.hpp"
#include "api/office/admin_audit.hpp"
#include "api/office/admin_blocks.hpp"
#include "api/office/admin_items.hpp"
#include "api/office/admin_limits.hpp"
#include "api/office/admin_orders.hpp"
#include "api/office/admin_sales.hpp"
#include "api/office/admin_stats.hpp"
#include "api/office/admin_trail.hpp"
#include "api/office/admin_users.hpp"
#include "api/office/admin_webhooks.hpp"
#include "api/office/machine_room.hpp"
#include "api/office/orders_csv.hpp"
#include "api/routes.hpp"
#include "api/shop/buying.hpp"
#include "api/shop/entrance.hpp"
#include "api/shop/funnel_recorder.hpp"
#include "api/shop/orders.hpp"
#include "api/shop/payments.hpp"
#include "api/shop/sessions.hpp"
#include "api/shop/shop_window.hpp"
#include "api/shop/stream_review.hpp"
#include "api/shop/streams.hpp"
#include "api/shop/users.hpp"
#include "api/shop/webhooks_in.hpp"
#include "app/absences.hpp"
#include "app/admission.hpp"
#include "app/block_book.hpp"
#include "app/catalog.hpp"
#include "app/item_editor.hpp"
#include "app/limit_editor.hpp"
#include "app/log_in.hpp"
#include "app/register_user.hpp"
#include "app/role_editor.hpp"
#include "app/sale_editor.hpp"
#include "app/sale_stats.hpp"
#include "app/sold_out_flags.hpp"
#include "app/stream_hub.hpp"
#include "app/turnstile.hpp"
#include "base/run_to_end.hpp"
#include "gate/front_door.hpp"
#include "http/server.hpp"
#include "main/archive_watch.hpp"
#include "main/backup_office.hpp"
#include "main/clock_watch.hpp"
#include "main/commands.hpp"
#include "main/demo.hpp"
#include "main/keeper.hpp"
#include "main/ledger_mark.hpp"
#include "main/metrics_of_parts.hpp"
#include "main/pass_key_watch.hpp"
#include "main/payment_office.hpp"
#include "main/reload.hpp"
#include "main/server_setup.hpp"
#include "main/shop_stakes.hpp"
#include "main/store.hpp"
#include "main/ticket_failures.hpp"
#include "main/unfinished_restore.hpp"
#include "main/webhook_office.hpp"
#include "observe/duration_metric.hpp"
#include "observe/process_metrics.hpp"
#include "sandbox/sandbox_page.hpp"
#include "workers/claim_reaper.hpp"
#include "workers/hold_expirer.hpp"
#include "workers/hot_copy_keeper.hpp"
#include "workers/pruner.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

/// The disk may be full when we end: then what was written before stays.
Task<> write_last(Task<> write, Log& log, std::string_view event) {
    try {
        co_await std::move(write);
    } catch (const std::exception& failure) {
        log.warn(event, {{"reason", failure.what()}});
    }
}

/// Where the built-in provider finds our webhook: at the shop's own listener.
Endpoint own_endpoint(const http::Server& server) {
    const auto url = server.shop_url();
    auto where = Endpoint::parse(std::string_view(url).substr(url.find("//") + 2)).value();
    if (where.host == "0.0.0.0") where.host = "127.0.0.1";
    if (where.host == "::") where.host = "::1";
    return where;
}

/// Wraps a method as a handler.
template <class Api>
http::Handler to(Api& api, http::Pending (Api::*method)(http::Exchange&)) {
    return [&api, method](http::Exchange& exchange) { return (api.*method)(exchange); };
}

}  // namespace

int serve(const Loaded& loaded, const ServeOptions& options) {
    const Config& config = loaded.config;
    std::signal(SIGPIPE, SIG_IGN);  // a client or a log reader that left is no reason to end
    std::signal(SIGHUP, SIG_IGN);   // until the keeper hears it
    Log log = make_log(config.log);
    const unsigned threads = thread_count(config);

    // The listeners come first: if the port is taken, nothing has been touched yet.
    RequestMetrics request_metrics(route_names(), threads);
    RefusalMetrics refusal_metrics(route_names(), code_names(), threads);
    FunnelCounts funnel_counts(http::kCodes, threads);
    gate::FrontDoor* door = nullptr;
    api::FunnelRecorder* recorder = nullptr;
    SystemRandom random;
    const auto connections = connection_bound(config, log);
    http::Server server(
        config, threads, connections,
        {.limits = config.http,
         .stream_limits = config.streams,
         .serve = [&door](http::Exchange& exchange) { return door->serve(exchange); },
         .metrics = request_metrics,
         .refusals = refusal_metrics,
         .unrouted = api::kRoutes.size(),
         .log = log,
         .on_answer =
             [&recorder](unsigned thread, const http::Exchange& exchange,
                         std::chrono::nanoseconds took) {
                 recorder->record(thread, exchange, took);
             }},
        make_seeds(random, threads));

    // Like the server's loops, the keeper's outlives the ledger, whose threads post to it.
    Keeper keeper(log);
    const ServerLock lock{DataFolder(config.data)};
    if (finish_restore(DataFolder(config.data), lock))
        log.warn("restore.finished", {{"reason", "it was cut short"}});
    Store store(config, lock, options.trust_clock);
    Catalog catalog(store.ledger.catalog());
    run_to_end(catalog.reload());
    MemorySessionStore sessions(store.ledger.sessions(),
                                std::chrono::minutes{config.accounts.session_minutes});

    RegisterUser registration(store.ledger.users(), store.hasher, store.clock, store.ids);
    LogIn login(store.ledger.users(), sessions, store.hasher, store.tokens, store.clock,
                store.random);
    RoleEditor role_editor(store.ledger.users(), sessions, store.clock, store.ids);
    gate::BlockList block_list;
    BlockBook block_book(store.ledger.blocks(), store.clock, store.ids,
                         [&](std::span<const Block> blocks) { block_list.replace(blocks); });
    run_to_end(block_book.reload());
    ItemEditor item_editor(store.ledger.catalog(), catalog, store.clock, store.ids);

    LimitScope limit_scope(config.limits.enabled, config.limits.exempt);
    SoldOutFlags sold_out_flags(catalog);
    MemoryStockGate stock_gate(&sold_out_flags);
    StreamHub stream_hub(
        catalog, store.clock, server.executors(),
        // The rest is for requests: whoever has no stream can still ask.
        {.all = connections - connections / 4,
         .per_user = config.streams.per_user,
         .per_address = config.streams.per_address,
         .watched = config.streams.watched,
         .exempts = [&](const Address& address) { return limit_scope.exempts(address); }});
    store.ledger.on_news(
        [&](const sqlite::News::Edition& news) {
            for (const auto& sale : news.sales) catalog.put_committed(sale);
            stream_hub.tell(news.buyers);
        },
        [&](UserId buyer) { return stream_hub.may_want(buyer); });
    HotOutbox hot_outbox(stock_gate, store.ledger.orders(), log);
    HotCopyKeeper hot_copies(
        stock_gate, store.ledger.orders(), hot_outbox,
        [&](const auto& each) {
            catalog.visit_sales([&](const auto& displayed) { each(displayed->sale); });
        },
        store.clock, log);
    const auto hot_copy_of = [&](SaleId sale) { return hot_copies.finding(sale); };
    // What was sold and lost must not be sold again: until an operator has looked, no sale opens.
    LedgerMark ledger_mark(store.folder);
    const auto loss = ledger_mark.find_loss();
    if (loss) log.error("ledger.loss", {{"reason", *loss}});
    if (!loss) run_to_end(hot_copies.fill_at_start());
    Admission admission(config.ledger.backlog);
    DurationMetric commit_seconds("sluice_commit_seconds",
                                  "From the start of a batch of purchases to its being on disk.");
    // Holds that were found wait until the time of the start is proven; see docs/limits.md.
    const bool found_holds = run_to_end(store.ledger.orders().next_due({})).has_value();
    ClaimSettler claim_settler(stock_gate, hot_outbox,
                               [&](SaleId sale) { hot_copies.suspect(sale); });
    HoldExpirer expirer(store.ledger.orders(), hot_outbox, store.clock, log,
                        [&] { return !found_holds || !store.clock.status().unproven; });
    TicketFailures ticket_failures(log);
    Periodic* expirer_rounds = nullptr;  // employed before anybody can buy
    const auto intake = store.ledger.open_intake(store.clock, store.ids,
                                                 {.batch = config.ledger.batch,
                                                  .backlog = config.ledger.backlog,
                                                  .on_hold =
                                                      [&](Timestamp due) {
                                                          if (expirer.is_sooner(due))
                                                              expirer_rounds->wake();
                                                      },
                                                  .on_batch =
                                                      [&](const IntakeReport& report) {
                                                          store.clock.rely();
                                                          admission.observe(report);
                                                          commit_seconds.record(report.took);
                                                      },
                                                  .on_failure = ticket_failures.listener()});
    SaleEditor sale_editor(
        store.ledger.catalog(), catalog, [&](SaleId sale) { return hot_copies.fill_new(sale); },
        hot_outbox, store.clock, store.ids,
        loss ? std::optional(Detail::orders_lost) : std::nullopt);
    PassKeyFile pass_key_file(store.folder);
    PassKeyRing pass_keys(pass_key_file.read_or_make(store.random, store.clock.now()));
    PassKeyWatch pass_key_watch(pass_key_file, pass_keys, store.clock, log);
    const Passes passes(pass_keys);
    const TicketMarks marks(run_to_end(store.ledger.settings().ticket_key(store.keys.tickets)));
    PassDesk desk(passes, store.random);
    const Turnstile turnstile(catalog, stock_gate, passes, marks, admission, *intake, store.clock);
    Purchase purchase(stock_gate, *intake, store.ledger.orders(), claim_settler, marks, desk);
    ChallengeDesk challenges(new_work_key(store.random),
                             [&] { return admission.load(intake->backlog()); }, store.random,
                             store.clock,
                             {.work_bits = config.challenge.pow_bits,
                              .draw_threads = config.challenge.draw_threads,
                              .draw_backlog = config.challenge.draw_backlog});
    GiveBack give_back(store.ledger.orders(), store.ledger.payments(), hot_outbox, store.clock,
                       store.ids);

    PaymentOffice money(config.payments, store, hot_outbox, own_endpoint(server), keeper.loop(),
                        log);
    WebhookOffice webhooks(config.webhooks, store, catalog, keeper.loop(), log);
    SaleStats sale_stats(
        funnel_counts, code_names(), catalog, stock_gate, store.ledger.stats(),
        [&] { return intake->backlog(); }, store.clock);
    std::string demo_logins;
    if (options.demo && !loss)
        demo_logins = fill_demo(store, catalog, registration, item_editor, sale_editor);

    ProcessMetrics process_metrics;
    MetricsPage metrics;
    metrics.add(request_metrics);
    metrics.add(refusal_metrics);
    metrics.add(commit_seconds);
    metrics.add(process_metrics);
    metrics.add_gauge("sluice_http_connections", "Connections that are open.",
                      [&] { return static_cast<double>(server.connections()); });
    add_build_metric(metrics);
    add_ledger_metrics(metrics, store.ledger);
    add_gate_metrics(metrics, admission, *intake, challenges);
    money.add_metrics(metrics);
    add_hot_copy_metrics(metrics, hot_copies);
    ticket_failures.add_to(metrics);
    metrics.add_gauge("sluice_orders_stuck",
                      "Orders that are due and cannot be expired: run sluice audit.",
                      [&] { return static_cast<double>(expirer.stuck()); });
    metrics.add_counter("sluice_stats_points_given_up_total",
                        "Points of sales' histories that found no room to wait for being written.",
                        [&] { return static_cast<double>(sale_stats.points_given_up()); });
    api::StreamCounts stream_counts;
    add_stream_metrics(metrics, stream_counts);
    webhooks.add_metrics(metrics);
    ShopStakes stakes(desk, *intake, catalog,
                      {store.ledger.orders(), store.ledger.payments(), store.ledger.webhooks()},
                      money.provider_name());
    ClockWatch clock_watch(
        store.clock,
        {.is_relied_on = [&] { return desk.has_issued(); },
         .stakes = [&](Timestamp one, Timestamp other) { return stakes.between(one, other); },
         .has_found_holds = found_holds},
        log);
    clock_watch.add_metrics(metrics);

    gate::RatesInForce rates(config.limits.rates);
    LimitEditor limit_editor(
        store.ledger.settings(), config.limits.rates,
        [&](const RateLimits& limits) { rates.set(limits); }, store.clock, store.ids);
    for (const auto& name : run_to_end(limit_editor.load()))
        log.warn("limits.setting_passed_over", {{"name", name}});

    ArchiveWatch archive_watch(store.ledger, log);
    archive_watch.add_metrics(metrics);
    run_to_end(archive_watch.look());
    BackupOffice backups(config.backup, store.folder, store.clock, log);
    backups.add_metrics(metrics);
    const auto check_up = [&] {
        auto ledger = store.ledger.health();
        if (loss) ledger = {false, *loss};
        const auto cold = loss ? std::nullopt : hot_copies.complaint();
        std::vector<api::PartHealth> parts{
            {"ledger", ledger.ok, ledger.detail},
            {"clock", true, clock_watch.detail()},
            {"hot_copies", !cold, cold.value_or("")},
            archive_watch.health(),
            {"server", !server.draining(), server.draining() ? "draining" : ""}};
        if (auto part = backups.health()) parts.push_back(std::move(*part));
        return parts;
    };
    const api::Receipts receipts(store.keys.receipts, store.clock, store.ledger.receipts());
    api::Users users(registration, receipts);
    gate::LogInLimiter log_in_limiter(limit_scope, store.keys.limits);
    api::Sessions session_api(config, login, sessions, store.tokens, log_in_limiter, store.clock);
    api::ShopWindow window(catalog, store.clock);
    api::AdminItems admin_items(item_editor, catalog, store.clock, receipts);
    api::AdminSales admin_sales(sale_editor, catalog, store.clock, receipts);
    gate::GuessLimiter guess_limiter(limit_scope, store.keys.limits);
    gate::AttemptLimiter attempt_limiter(store.keys.limits);
    api::Entrance entrance(challenges, desk, catalog, stock_gate, store.ledger.orders(),
                           guess_limiter, attempt_limiter, store.clock);
    // One for each kind of thing, since the ids of two kinds may be written the same.
    Absences absent_tickets(store.keys.limits);
    Absences absent_orders(store.keys.limits);
    api::Buying buying(turnstile, purchase, catalog, stock_gate, store.ledger.orders(),
                       absent_tickets);
    sqlite::LedgerAuditor auditor(store.folder.database(), store.clock);
    api::AdminAudit admin_audit(auditor, catalog, hot_copy_of);
    api::AdminStats admin_stats(sale_stats, catalog, hot_copy_of, store.clock);
    api::Orders orders(store.ledger.orders(), give_back, absent_orders, catalog);
    api::Payments payments(money.pay(), receipts, config.public_url);
    const SystemClock wall_clock;
    api::WebhooksIn webhooks_in(money.hear(), money.senders(),
                                std::chrono::seconds{config.payments.tolerance_seconds},
                                store.clock, wall_clock, log);
    api::Streams streams(stream_hub, catalog, sessions, store.clock, stream_counts);
    sandbox::SandboxPage sandbox_page(money.till());
    api::AdminOrders admin_orders(store.ledger.order_list(), store.ledger.payments(), give_back,
                                  money.provider_name(), catalog);
    OrderExport order_export(store.ledger.order_list(), store.ledger.trail(), store.clock,
                             store.ids);
    api::OrdersCsv orders_csv(order_export, catalog);
    api::AdminUsers admin_users(store.ledger.users(), role_editor);
    api::AdminBlocks admin_blocks(block_book);
    api::AdminTrail admin_trail(store.ledger.trail());
    api::AdminLimits admin_limits(limit_editor, limit_scope);
    api::AdminWebhooks admin_webhooks(webhooks.book(), store.ledger.webhooks(), receipts);
    api::MachineRoom machine_room(check_up, metrics);

    const http::StaticFiles files(web_root(config));
    gate::Speed speed(limit_scope, rates, store.keys.limits);
    gate::FrontDoor front_door(config, api::kRoutes, speed, store.tokens, sessions, files,
                               block_list, store.clock, log);
    front_door.bind("create_user", to(users, &api::Users::create));
    front_door.bind("log_in", to(session_api, &api::Sessions::log_in));
    front_door.bind("show_session", to(session_api, &api::Sessions::show));
    front_door.bind("log_out", to(session_api, &api::Sessions::log_out));
    front_door.bind("log_out_everywhere", to(session_api, &api::Sessions::log_out_everywhere));
    front_door.bind("show_time", to(window, &api::ShopWindow::show_time));
    front_door.bind("list_items", to(window, &api::ShopWindow::list_items));
    front_door.bind("show_item", to(window, &api::ShopWindow::show_item));
    front_door.bind("list_sales", to(window, &api::ShopWindow::list_sales));
    front_door.bind("show_sale", to(window, &api::ShopWindow::show_sale));
    front_door.bind("create_challenge", to(entrance, &api::Entrance::create_challenge));
    front_door.bind("create_pass", to(entrance, &api::Entrance::create_pass));
    front_door.bind("buy", to(buying, &api::Buying::buy));
    front_door.bind("show_ticket", to(buying, &api::Buying::show_ticket));
    front_door.bind("show_my_ticket", to(buying, &api::Buying::show_my_ticket));
    front_door.bind("list_orders", to(orders, &api::Orders::list));
    front_door.bind("show_order", to(orders, &api::Orders::show));
    front_door.bind("cancel_order", to(orders, &api::Orders::cancel));
    front_door.bind("begin_payment", to(payments, &api::Payments::begin));
    front_door.bind("open_stream", to(streams, &api::Streams::open));
    front_door.bind("receive_payment_event", to(webhooks_in, &api::WebhooksIn::receive));
    front_door.bind("show_sandbox_page", to(sandbox_page, &sandbox::SandboxPage::show_page));
    front_door.bind("show_sandbox_file", to(sandbox_page, &sandbox::SandboxPage::show_file));
    front_door.bind("show_sandbox_bill", to(sandbox_page, &sandbox::SandboxPage::show_bill));
    front_door.bind("press_sandbox_button", to(sandbox_page, &sandbox::SandboxPage::press));
    front_door.bind("create_item", to(admin_items, &api::AdminItems::create));
    front_door.bind("edit_item", to(admin_items, &api::AdminItems::edit));
    front_door.bind("create_sale", to(admin_sales, &api::AdminSales::create));
    front_door.bind("edit_sale", to(admin_sales, &api::AdminSales::edit));
    front_door.bind("pause_sale", to(admin_sales, &api::AdminSales::pause));
    front_door.bind("resume_sale", to(admin_sales, &api::AdminSales::resume));
    front_door.bind("end_sale", to(admin_sales, &api::AdminSales::end));
    front_door.bind("restock_sale", to(admin_sales, &api::AdminSales::restock));
    front_door.bind("show_stats", to(admin_stats, &api::AdminStats::show));
    front_door.bind("list_stats_history", to(admin_stats, &api::AdminStats::show_history));
    front_door.bind("audit_sale", to(admin_audit, &api::AdminAudit::audit));
    front_door.bind("list_any_orders", to(admin_orders, &api::AdminOrders::list));
    front_door.bind("export_orders", to(orders_csv, &api::OrdersCsv::download));
    front_door.bind("show_any_order", to(admin_orders, &api::AdminOrders::show));
    front_door.bind("refund_order", to(admin_orders, &api::AdminOrders::refund));
    front_door.bind("note_sent_back", to(admin_orders, &api::AdminOrders::note_sent_back));
    front_door.bind("list_users", to(admin_users, &api::AdminUsers::list));
    front_door.bind("show_user", to(admin_users, &api::AdminUsers::show_one));
    front_door.bind("change_role", to(admin_users, &api::AdminUsers::change_role));
    front_door.bind("list_blocks", to(admin_blocks, &api::AdminBlocks::list));
    front_door.bind("show_block", to(admin_blocks, &api::AdminBlocks::show));
    front_door.bind("put_block", to(admin_blocks, &api::AdminBlocks::put));
    front_door.bind("lift_block", to(admin_blocks, &api::AdminBlocks::lift));
    front_door.bind("list_audit_trail", to(admin_trail, &api::AdminTrail::list));
    front_door.bind("show_limits", to(admin_limits, &api::AdminLimits::show));
    front_door.bind("change_limits", to(admin_limits, &api::AdminLimits::change));
    front_door.bind("list_webhooks", to(admin_webhooks, &api::AdminWebhooks::list));
    front_door.bind("create_webhook", to(admin_webhooks, &api::AdminWebhooks::create));
    front_door.bind("delete_webhook", to(admin_webhooks, &api::AdminWebhooks::remove));
    front_door.bind("list_deliveries", to(admin_webhooks, &api::AdminWebhooks::list_deliveries));
    front_door.bind("resend_delivery", to(admin_webhooks, &api::AdminWebhooks::resend));
    front_door.bind("livez", to(machine_room, &api::MachineRoom::livez));
    front_door.bind("readyz", to(machine_room, &api::MachineRoom::readyz));
    front_door.bind("metrics", to(machine_room, &api::MachineRoom::metrics));
    front_door.bind("openapi", to(machine_room, &api::MachineRoom::openapi));
    front_door.check_bound();
    door = &front_door;
    api::FunnelRecorder funnel_recorder(funnel_counts, catalog);
    recorder = &funnel_recorder;

    Pruner pruner(store.clock, store.ledger.sessions(), store.ledger.receipts(),
                  store.ledger.stats(), store.ledger.sandbox(), store.ledger.webhooks(),
                  store.ledger.orders(),
                  {.sandbox = std::chrono::days{config.payments.sandbox_days},
                   .delivered = std::chrono::hours{config.webhooks.keep_delivered_hours},
                   .dead = std::chrono::hours{config.webhooks.keep_dead_hours},
                   .hot_changes = std::chrono::hours{24}});
    keeper.employ("clock_watch", 200ms, [&] { return clock_watch.look(); });
    keeper.employ("pruner", 1min, [&] { return pruner.prune_once(); });
    ClaimReaper reaper(stock_gate, store.ledger.orders(), claim_settler, store.clock, log);
    LogWatch log_watch([&] { return store.ledger.log_bytes(); }, log);
    keeper.employ("log_watch", 1s, [&] { return log_watch.look(); });
    keeper.employ("archive_watch", 2s, [&] { return archive_watch.look(); });
    Periodic* hot_copy_rounds = nullptr;
    if (!loss) {
        hot_copy_rounds = &keeper.employ("hot_copy_keeper", HotCopyKeeper::kPause,
                                         [&] { return hot_copies.look_after_copies(); });
        keeper.employ("ledger_mark", 1s, [&] { return ledger_mark.note(); });
    }
    keeper.employ("claim_reaper", 1s, [&] { return reaper.reap_once(); });
    expirer_rounds = &keeper.employ("hold_expirer", 1s, [&] { return expirer.expire_due(); });
    money.employ(keeper);
    webhooks.employ(keeper);
    Periodic& key_rounds =
        keeper.employ("pass_key_watch", 500ms, [&] { return pass_key_watch.look(); });
    keeper.employ("gate_sweeper", 1s, [&]() -> Task<> {
        desk.sweep(store.clock.now());
        challenges.sweep();
        co_return;
    });
    keeper.employ("flag_healer", 1s, [&] { return sold_out_flags.heal(stock_gate); });
    api::StreamReview stream_review(stream_hub, sessions, block_list, store.clock);
    keeper.employ("stream_review", 1s, [&] { return stream_review.review(); });
    keeper.employ("stream_teller", 250ms, [&] { return stream_hub.tell_of_sales(); });
    keeper.employ("stats_gatherer", 500ms, [&] { return sale_stats.gather(); });
    keeper.employ("session_writer", 5s, [&] { return sessions.write_extensions(); });
    Periodic& refresher = keeper.employ("catalog_refresher", 1h, [&]() -> Task<> {
        co_await catalog.reload();
        if (hot_copy_rounds) hot_copy_rounds->wake();
    });
    Periodic& block_refresher =
        keeper.employ("block_refresher", 1h, [&] { return block_book.reload(); });
    Reload reload(loaded, log, limit_scope, limit_editor, [&] {
        key_rounds.wake();
        refresher.wake();
        block_refresher.wake();
    });
    keeper.start({.on_end = [&] { server.drain(); }, .on_reload = [&] { reload.run(); }});
    store.ledger.on_commit([&] { webhooks.hear_commit(); });
    store.ledger.on_external_change([&] {
        sessions.forget_all();
        refresher.wake();
        block_refresher.wake();
    });

    log.info("server.started", {{"url", server.shop_url()},
                                {"office", server.office_url()},
                                {"threads", threads},
                                {"data", config.data.string()},
                                {"items", catalog.items()},
                                {"sales", catalog.sales()}});
    std::cout << "Sluice is open at " << server.shop_url() << "\n" << demo_logins << std::flush;
    server.run();

    store.ledger.on_commit([] {});
    store.ledger.on_external_change([] {});
    keeper.stop();
    run_to_end(write_last(sessions.write_extensions(), log, "sessions.not_written"));
    run_to_end(write_last(sale_stats.close(), log, "stats.not_written"));
    log.info("server.stopped");
    return 0;
}

}  // namespace sluice
