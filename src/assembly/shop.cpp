#include "assembly/shop.hpp"

#include "app/purchase/queued_intake.hpp"
#include "assembly/server_setup.hpp"
#include "base/run_to_end.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

/// The rest of the connections is for requests: a page without a stream can still ask.
std::size_t most_streams(const HttpFront& front) {
    return front.connections - front.connections / 4;
}

const Config& config_of(const Shop::Parts& parts) {
    return parts.loaded.config;
}

Gatehouse::Parts gatehouse_parts(const Shop::Parts& parts) {
    return {.config = config_of(parts),
            .sessions = parts.hot.sessions(),
            .tokens = parts.tokens,
            .limit_scope = parts.limit_scope,
            .limit_key = parts.keys.limits,
            .counts = parts.hot.counts(),
            .clock = parts.clock,
            .log = parts.log};
}

StreamLine::Parts stream_parts(const Shop::Parts& parts, const gate::BlockList& blocks) {
    return {.config = config_of(parts).streams,
            .catalog = parts.catalog,
            .sessions = parts.hot.sessions(),
            .blocks = blocks,
            .limit_scope = parts.limit_scope,
            .clock = parts.clock,
            .loops = parts.front.server.executors(),
            .most = most_streams(parts.front),
            .orders = parts.ledger.ledgers().orders(),
            .signals = parts.hot.signals(),
            .log = parts.log};
}

PurchaseLine::Parts line_parts(const Shop::Parts& parts, ClaimLine& claims,
                               const TicketMarks& marks) {
    auto& ledgers = parts.ledger.ledgers();
    return {.claims = claims,
            .catalog = parts.catalog,
            .gate = parts.hot.gate(),
            .desk = parts.hot.entry(),
            .sales = ledgers.catalog(),
            .orders = ledgers.orders(),
            .payments = ledgers.payments(),
            .passes = parts.passes.passes,
            .marks = marks,
            .clock = parts.clock,
            .ids = parts.ids,
            .log = parts.log};
}

Accounts::Parts account_parts(const Shop::Parts& parts, const api::Receipts& receipts,
                              const Gatehouse& gatehouse) {
    return {.config = config_of(parts),
            .users = parts.ledger.ledgers().users(),
            .second_factors = parts.ledger.ledgers().second_factors(),
            .trail = parts.ledger.ledgers().trail(),
            .sessions = parts.hot.sessions(),
            .tokens = parts.tokens,
            .hasher = parts.hasher,
            .receipts = receipts,
            .limit_scope = parts.limit_scope,
            .limit_key = parts.keys.limits,
            .counts = parts.hot.counts(),
            .exchange = gatehouse.exchange(),
            .device_key = parts.keys.devices,
            .code_key = parts.keys.phone_codes,
            .codes = parts.hot.codes(),
            .second_factor_key = parts.keys.second_factors,
            .loop = parts.keeper.loop(),
            .clock = parts.clock,
            .random = parts.random,
            .ids = parts.ids,
            .log = parts.log};
}

Checkout::Parts checkout_parts(const Shop::Parts& parts, PurchaseLine& line, Gatehouse& gatehouse) {
    auto& ledgers = parts.ledger.ledgers();
    return {.line = line,
            .catalog = parts.catalog,
            .gate = parts.hot.gate(),
            .orders = ledgers.orders(),
            .hold_networks = ledgers.hold_networks(),
            .buyer_lists = ledgers.buyer_lists(),
            .phone_form = PhoneForm(find_country(config_of(parts).accounts.country)),
            .deliveries = ledgers.deliveries(),
            .guesses = gatehouse.guess_limiter,
            .limit_scope = parts.limit_scope,
            .rates = gatehouse.rates,
            .exchange = gatehouse.exchange(),
            .broker = parts.broker,
            .random = parts.random,
            .clock = parts.clock};
}

Checkout::Options checkout_options(const Shop::Parts& parts) {
    const auto& config = config_of(parts).challenge;
    // The entry desk remembers what is spent, so the key lasts as long as its memory.
    return {.work_key = parts.hot.ends_with_process() ? new_work_key(parts.random)
                                                      : parts.keys.work_challenges,
            .challenges = {.work_bits = config.pow_bits,
                           .draw_threads = config.draw_threads,
                           .draw_backlog = config.draw_backlog},
            .hash_key = parts.keys.limits};
}

Money::Parts money_parts(const Shop::Parts& parts, HotOutbox& outbox,
                         const api::Receipts& receipts) {
    return {.config = config_of(parts),
            .payments = parts.ledger.ledgers().payments(),
            .sandbox = parts.ledger.ledgers().sandbox(),
            .outbox = outbox,
            .receipts = receipts,
            .sandbox_key = parts.keys.sandbox,
            .limit_scope = parts.limit_scope,
            .limit_key = parts.keys.limits,
            .shop = parts.front.own_endpoint(),
            .is_on_duty = [&hot = parts.hot] { return hot.is_on_duty(); },
            .is_first_edge = [&hot = parts.hot] { return hot.is_first_edge(); },
            .loop = parts.keeper.loop(),
            .clock = parts.clock,
            .random = parts.random,
            .ids = parts.ids,
            .log = parts.log};
}

WebhookOffice::Parts webhook_parts(const Shop::Parts& parts, const api::Receipts& receipts) {
    return {.config = config_of(parts).webhooks,
            .webhooks = parts.ledger.ledgers().webhooks(),
            .catalog = parts.catalog,
            .receipts = receipts,
            .key = parts.keys.webhooks,
            .is_on_duty = [&hot = parts.hot] { return hot.is_on_duty(); },
            .loop = parts.keeper.loop(),
            .clock = parts.clock,
            .random = parts.random,
            .ids = parts.ids,
            .log = parts.log};
}

AlertOffice::Parts alert_parts(const Shop::Parts& parts, const PurchaseLine& line,
                               const WebhookOffice& webhooks, Accounts& accounts,
                               const Monitoring& monitoring,
                               std::function<std::optional<AlertWatch::Queue>()> queue) {
    return {.config = config_of(parts),
            .mail_password = parts.mail_password,
            .ledger = parts.ledger,
            .catalog = parts.catalog,
            .front = parts.front,
            .hot_copies = line.claims.hot_copies,
            .webhooks = webhooks,
            .accounts = accounts,
            .check_up = [&monitoring] { return monitoring.check_up(); },
            .queue = std::move(queue),
            .is_on_duty = [&hot = parts.hot] { return hot.is_on_duty(); },
            .loop = parts.keeper.loop(),
            .clock = parts.clock,
            .log = parts.log};
}

/// Without a broker each node decides its own tickets and knows of no others.
ReadQueue read_queue_of(const Shop::Parts& parts, const PurchaseLine& line,
                        const ClusterBacklog& backlog) {
    return [&line, &backlog, broker = parts.broker, &clock = parts.clock] {
        const auto under_way = broker ? backlog.count() : line.intake->backlog();
        QueueFigures figures{.broker = std::nullopt,
                             .under_way = static_cast<std::int64_t>(under_way),
                             .oldest = {},
                             .pace = line.admission.rate(),
                             .wait_seconds = line.admission.wait_seconds(under_way)};
        if (!broker) return figures;
        figures.broker = broker->state();
        if (const auto oldest = backlog.oldest())
            figures.oldest = std::max(clock.now() - *oldest, std::chrono::milliseconds{0});
        return figures;
    };
}

Upkeep::Parts upkeep_parts(const Shop::Parts& parts, PurchaseLine& line, TicketLedger& tickets,
                           IntakeWatch& watch) {
    return {.config = config_of(parts),
            .ledgers = parts.ledger.ledgers(),
            .tickets = tickets,
            .broker = parts.broker,
            .line = line,
            .clock = parts.clock,
            .on_failure = watch.failures.listener(),
            .log = parts.log};
}

Office::Parts office_parts(const Shop::Parts& parts, PurchaseLine& line, Gatehouse& gatehouse,
                           TicketLedger& tickets, Auditor& auditor, ReadQueue read_queue,
                           std::string provider) {
    return {.catalog = parts.catalog,
            .line = line,
            .gate = parts.hot.gate(),
            .auditor = auditor,
            .block_list = gatehouse.block_list,
            .rates = gatehouse.rates,
            .funnel_counts = parts.front.funnel_counts,
            .node = {.number = parts.ledger.node(), .has_others = !parts.hot.ends_with_process()},
            .provider = std::move(provider),
            .phone_form = PhoneForm(find_country(config_of(parts).accounts.country)),
            .ledgers = parts.ledger.ledgers(),
            .tickets = tickets,
            .read_queue = std::move(read_queue),
            .configured_rates = config_of(parts).limits.rates,
            .limit_scope = parts.limit_scope,
            .clock = parts.clock,
            .ids = parts.ids,
            .log = parts.log};
}

Monitoring::Parts monitoring_parts(const Shop::Parts& parts, const PurchaseLine& line,
                                   std::string provider, bool has_found_holds) {
    auto& ledgers = parts.ledger.ledgers();
    return {.config = config_of(parts),
            .ledger = parts.ledger,
            .hot = parts.hot,
            .broker = parts.broker,
            .ledgers = {ledgers.orders(), ledgers.payments(), ledgers.webhooks()},
            .server = parts.front.server,
            .line = line,
            .catalog = parts.catalog,
            .sessions = parts.hot.sessions(),
            .tokens = parts.tokens,
            .provider = std::move(provider),
            .has_found_holds = has_found_holds,
            .clock = parts.clock,
            .log = parts.log};
}

/// The disk may be full when the server ends. What was written before stays.
void write_last(Task<> write, Log& log, std::string_view event) {
    try {
        run_to_end(std::move(write));
    } catch (const std::exception& failure) {
        log.warn(event, {{"reason", failure.what()}});
    }
}

}  // namespace

Shop::Shop(const Parts& parts)
    : parts_(parts),
      ledgers_(parts.ledger.ledgers()),
      has_found_holds_(run_to_end(ledgers_.orders().next_due({})).has_value()),
      receipts_(parts.keys.receipts, parts.clock, ledgers_.receipts()),
      marks_(run_to_end(ledgers_.settings().ticket_key(parts.keys.tickets))),
      gatehouse_(gatehouse_parts(parts)),
      streams_(stream_parts(parts, gatehouse_.block_list)),
      intake_watch_(parts.clock, parts.log),
      backlog_(parts.hot.gate()),
      claims_(claim_parts()),
      tickets_(ledgers_.open_tickets(parts.clock, parts.ids,
                                     [this](Timestamp due) { claims_.on_new_hold(due); })),
      line(line_parts(parts, claims_, marks_), line_options(),
           [this](const IntakeOptions& options) { return open_intake(options); }),
      accounts(account_parts(parts, receipts_, gatehouse_)),
      shop_front(ledgers_.catalog(), parts.catalog, line.editor, receipts_, parts.clock, parts.ids,
                 config_of(parts).public_url),
      pictures_(ledgers_.pictures(), parts.clock, parts.ids),
      checkout_(checkout_parts(parts, line, gatehouse_), checkout_options(parts)),
      money_(money_parts(parts, claims_.outbox, receipts_)),
      webhooks_(webhook_parts(parts, receipts_)),
      contacts_(ledgers_, parts.catalog, parts.clock, parts.ids),
      upkeep_(upkeep_parts(parts, line, *tickets_, intake_watch_)),
      monitoring_(monitoring_parts(parts, line, money_.provider_name(), has_found_holds_)),
      alerts_(alert_parts(parts, line, webhooks_, accounts, monitoring_,
                          [this] { return queue_to_watch(); })),
      office_(office_parts(parts, line, gatehouse_, *tickets_, alerts_.auditor(),
                           read_queue_of(parts, line, backlog_), money_.provider_name())),
      nodes_(parts.hot, parts.front, claims_.hot_copies, config_of(parts).roles, parts.clock),
      catalog_follower_(parts.catalog, ledgers_.catalog_changes()),
      latest_catalog_(catalog_follower_),
      catalog_rounds_(
          "catalog_refresher", 1h, [this] { return reload_catalog(); }, parts.log),
      catalog_follows_(
          "catalog_follower", 1h, [this] { return follow_catalog(); }, parts.log),
      reload_(parts.loaded, parts.log, parts.limit_scope, office_.limit_editor,
              [this] { refresh(); }),
      news_(subscribe_to_news()) {
    run_to_end(line.open());
    bind_routes();
    employ_workers();
    add_metrics();
}

ClaimLine::Parts Shop::claim_parts() {
    return {.gate = parts_.hot.gate(),
            .orders = ledgers_.orders(),
            .visit_sales = visit_sales_of(parts_.catalog),
            .clock = parts_.clock,
            .log = parts_.log,
            .is_time_proven = [this] { return is_time_proven(); }};
}

PurchaseLine::Options Shop::line_options() {
    const auto& config = config_of(parts_);
    PurchaseLine::Options options{
        .intake = intake_watch_.options(config.ledger),
        .queued = {},
        .has_own_copies = parts_.hot.ends_with_process(),
        .closed = parts_.ledger.loss() ? std::optional(Detail::orders_lost) : std::nullopt};
    if (parts_.broker)
        options.queued.emplace(backlog_, std::chrono::seconds{config.broker.decide_within_seconds},
                               [this] { return parts_.broker->state().is_full; });
    return options;
}

std::unique_ptr<OrderIntake> Shop::open_intake(const IntakeOptions& options) {
    if (!parts_.broker) return ledgers_.open_intake(parts_.clock, parts_.ids, options);
    QueuedIntake::Options queued{.batch = QueuedIntake::kTicketsInMessage,
                                 .backlog = options.backlog,
                                 .cluster = &backlog_,
                                 .on_failure = options.on_failure};
    return std::make_unique<QueuedIntake>(parts_.broker->queue(), parts_.hot.gate(), *tickets_,
                                          std::move(queued));
}

bool Shop::is_time_proven() const {
    if (!parts_.ledger.is_time_proven()) return false;
    return !has_found_holds_ || !parts_.clock.status().unproven;
}

Subscription Shop::subscribe_to_news() {
    return ledgers_.on_news(
        [this](const NewsEdition& news) {
            for (const auto& sale : news.sales) parts_.catalog.put_news(sale);
            streams_.tell(news.buyers);
            office_.hear(news.buyers);
        },
        [this](UserId buyer) { return streams_.wants(buyer); });
}

void Shop::bind_routes() {
    const auto bind = gatehouse_.binder();
    accounts.bind(bind);
    const auto bind_changes = parts_.hot.ends_with_process() ? bind : latest_catalog_.before(bind);
    shop_front.bind(bind, bind_changes);
    pictures_.bind(bind);
    checkout_.bind(bind);
    streams_.bind(bind);
    money_.bind(bind);
    webhooks_.bind(bind);
    alerts_.bind(bind);
    office_.bind(bind, bind_changes);
    contacts_.bind(bind);
    monitoring_.bind(bind);
    nodes_.bind(bind);
    gatehouse_.front_door.check_bound();
}

std::optional<AlertWatch::Queue> Shop::queue_to_watch() const {
    if (!parts_.broker) return std::nullopt;
    const auto figures = read_queue_of(parts_, line, backlog_)();
    const auto& broker = *figures.broker;
    return AlertWatch::Queue{
        .oldest = figures.oldest,
        .promised = std::chrono::seconds{config_of(parts_).broker.decide_within_seconds},
        .parked = upkeep_.parked(),
        .unconfirmed = broker.returned + broker.refused + broker.unanswered,
        .redelivered = broker.redelivered};
}

void Shop::employ_workers() {
    auto& keeper = parts_.keeper;
    const auto& roles = config_of(parts_).roles;
    monitoring_.employ(keeper);
    parts_.ledger.employ(keeper);
    parts_.hot.employ(keeper);
    if (parts_.broker) parts_.broker->employ(keeper);
    parts_.passes.employ(keeper);
    line.employ(keeper, roles);
    money_.employ(keeper, roles);
    upkeep_.employ(keeper, roles);
    nodes_.employ(keeper);
    alerts_.employ(keeper);
    keeper.employ(catalog_rounds_);
    keeper.employ(catalog_follows_);
    if (roles.keeper) webhooks_.employ(keeper);
    if (!roles.edge) return;
    gatehouse_.employ(keeper);
    checkout_.employ(keeper);
    accounts.employ(keeper);
    streams_.employ(keeper);
    office_.employ(keeper);
}

void Shop::add_metrics() {
    auto& metrics = monitoring_.metrics;
    parts_.front.add_metrics(metrics);
    parts_.ledger.add_metrics(metrics);
    parts_.hot.add_metrics(metrics);
    if (parts_.broker) parts_.broker->add_metrics(metrics);
    intake_watch_.add_metrics(metrics);
    line.add_metrics(metrics);
    accounts.add_metrics(metrics);
    checkout_.add_metrics(metrics);
    pictures_.add_metrics(metrics);
    streams_.add_metrics(metrics);
    money_.add_metrics(metrics);
    upkeep_.add_metrics(metrics);
    webhooks_.add_metrics(metrics);
    alerts_.add_metrics(metrics);
    office_.add_metrics(metrics);
}

Task<> Shop::reload_catalog() {
    co_await parts_.catalog.reload();
    claims_.copy_rounds.wake();
}

Task<> Shop::follow_catalog() {
    co_await catalog_follower_.catch_up();
    claims_.copy_rounds.wake();
}

void Shop::refresh() {
    parts_.passes.read_keys_again();
    catalog_rounds_.wake();
    office_.read_again();
}

void Shop::run() {
    auto& server = parts_.front.server;
    auto workers =
        parts_.keeper.start({.on_end =
                                 [&] {
                                     alerts_.stop();  // a request may wait for a channel's test
                                     server.drain();
                                 },
                             .on_reload = [this] { reload_.run(); }});
    auto commits = ledgers_.on_commit([this] { webhooks_.on_commit(); });
    auto outside_changes = ledgers_.on_external_change([this] {
        catalog_follows_.wake();
        office_.read_again();
        webhooks_.on_commit();
    });
    server.run(
        {.serve = [this](auto& exchange) { return gatehouse_.front_door.serve(exchange); },
         .screen = [this](auto& exchange) { return gatehouse_.front_door.screen(exchange); },
         .longest_body =
             [this](const auto& request, auto surfaces) {
                 return gatehouse_.front_door.longest_body(request, surfaces);
             },
         .is_unbounded = [this](const Address& who) { return gatehouse_.is_unbounded(who); },
         .is_blocked = [this](const Address& who) { return gatehouse_.is_blocked(who); },
         .on_answer = [this](unsigned thread, const auto& exchange,
                             auto took) { office_.funnel_recorder.record(thread, exchange, took); },
         .on_loop_end = [this](AsioLoop& loop) { parts_.hot.leave(loop); }});
    commits.end();
    outside_changes.end();
    accounts.stop();
    alerts_.stop();
    workers.end();
    write_last(parts_.hot.stop(), parts_.log, "sessions.not_written");
    write_last(office_.stop(), parts_.log, "stats.not_written");
    write_last(checkout_.stop(), parts_.log, "networks.not_written");
}

}  // namespace sluice
