#include "simulation/process.hpp"

namespace sluice::simulation {
namespace {

Task<> open(Process& process) {
    co_await process.catalog.reload();
    co_await process.line.open();
}

}  // namespace

Process::Process(Store& store, Bank& bank, Chance& chance, const Clock& clock, Plant plant,
                 std::uint32_t number)
    : store_(store),
      random_(static_cast<std::uint64_t>(chance.between(0, 1'000'000))),
      marks_(TicketMarks::Key{
          static_cast<unsigned char>(plant == Plant::key_per_process ? 100 + number % 100 : 2)}),
      signals_(flags, plant, schedule),
      planted_clock_(clock, plant),
      plant_(plant),
      schedule(loop_, chance),
      planted_gate(memory_gate_, plant),
      gate(planted_gate, schedule),
      faulty_orders(store, schedule),
      orders(faulty_orders, store, plant),
      faulty_sales(store, schedule),
      faulty_payments(store, schedule),
      payments(faulty_payments, store, schedule, plant),
      provider(bank, schedule, plant == Plant::refund_under_new_key),
      ids(number),
      intake(store, schedule, clock, ids, plant == Plant::batch_fails_together),
      sales(faulty_sales, catalog, clock, ids, plant),
      catalog(sales),
      flags(catalog),
      limiter(clock, plant),
      claims({.gate = gate,
              .orders = orders,
              .visit_sales = visit_sales_of(catalog),
              .clock = planted_clock_,
              .log = log_}),
      line({.claims = claims,
            .catalog = catalog,
            .gate = gate,
            .desk = desk,
            .sales = sales,
            .orders = orders,
            .payments = payments,
            .passes = passes_,
            .marks = marks_,
            .clock = planted_clock_,
            .ids = ids,
            .log = log_},
           {.intake = {.backlog = 1'024}, .closed = {}},
           [&](const IntakeOptions&) {
               return std::make_unique<PlantedIntake>(intake, plant, schedule);
           }),
      pay(payments, &provider, clock, ids),
      hear_payment(payments, claims.outbox, clock, ids, log_),
      refunder(payments, &provider, clock, log_),
      door({.line = line,
            .catalog = catalog,
            .gate = gate,
            .orders = orders,
            .random = random_,
            .clock = clock,
            .plant = plant}) {
    store_.news.listen([this](const sql::News::Edition& news) {
        for (const auto& sale : news.sales) catalog.put_news(sale);
    });
    // No request comes in before the server is ready.
    schedule.set_calm(true);
    schedule.start(open(*this));
    schedule.settle_down();
    schedule.set_calm(false);
}

Task<> Process::refill(SaleId sale) {
    if (plant_ == Plant::cold_stays_cold) co_return;
    co_await claims.hot_copies.fill(sale);
}

Task<> Process::look_after_copies() {
    if (plant_ == Plant::cold_stays_cold) co_return;
    if (std::exchange(keeper_is_round_, true)) co_return;
    std::exception_ptr failure;
    try {
        co_await claims.hot_copies.look_after_copies();
    } catch (const Outage&) {
        failure = std::current_exception();
    }
    keeper_is_round_ = false;
    if (failure) std::rethrow_exception(failure);
}

Task<> Process::compare_copies() {
    catalog.visit_sales([this](const auto& displayed) {
        const auto sale = displayed->sale.id;
        drifts_before_rest_[sale] = claims.hot_copies.finding(sale).drifts;
    });
    for (int round = 0; round < 3; ++round) co_await look_after_copies();
}

bool Process::has_drifted(SaleId sale) const {
    const auto before = drifts_before_rest_.find(sale);
    return before != drifts_before_rest_.end() &&
           claims.hot_copies.finding(sale).drifts > before->second;
}

void Process::heal_flags() {
    if (plant_ == Plant::flag_never_cleared) return;
    schedule.start(flags.heal(gate));
    schedule.settle_down();
}

std::optional<SaleId> Process::stale_flag() const {
    for (const auto& displayed : catalog.list_sales({}, std::nullopt, 100, {}))
        if (SoldOutFlags::is_up(*displayed) && hot().glance(displayed->sale.id, UserId{}).left > 0)
            return displayed->sale.id;
    return std::nullopt;
}

Process::~Process() {
    store_.news.listen({});
    // What is under way ends before the parts that it uses.
    intake.drop_all();
    schedule.drop_all();
}

}  // namespace sluice::simulation
