#include "simulation/process.hpp"

namespace sluice::simulation {
namespace {

Task<> open(Process& process, Timestamp now) {
    co_await process.catalog.reload();
    auto copies = co_await process.orders.hot_copies(now);
    for (auto& copy : copies) co_await process.gate.warm(std::move(copy));
}

}  // namespace

Process::Process(Store& store, Bank& bank, Chance& chance, const Clock& clock, Plant plant,
                 std::uint32_t number)
    : store_(store),
      random_(static_cast<std::uint64_t>(chance.between(0, 1'000'000))),
      signals_(flags, plant, schedule),
      planted_clock_(clock, plant),
      plant_(plant),
      schedule(loop_, chance),
      planted_gate(memory_gate_, plant),
      gate(planted_gate, schedule),
      faulty_orders(store, schedule),
      orders(faulty_orders, store, plant),
      sales(store, schedule),
      faulty_payments(store, schedule),
      payments(faulty_payments, store, schedule, plant),
      provider(bank, schedule, plant == Plant::refund_under_new_key),
      ids(number),
      faulty_intake_(store, schedule, clock, ids),
      intake(faulty_intake_, plant, schedule),
      catalog(sales),
      flags(catalog),
      desk(passes_, random_),
      turnstile(catalog, gate, passes_, marks_, admission, intake, planted_clock_),
      limiter(clock, plant),
      purchase(gate, intake, orders, marks_, desk),
      give_back(orders, payments, gate, clock, ids),
      pay(payments, &provider, clock, ids),
      hear_payment(payments, gate, clock, ids, log_),
      editor(sales, catalog, gate, clock, ids),
      reaper(gate, orders, clock),
      expirer(orders, gate, clock, log_),
      refunder(payments, &provider, clock, log_),
      door({.turnstile = turnstile,
            .purchase = purchase,
            .catalog = catalog,
            .gate = gate,
            .orders = orders,
            .desk = desk,
            .editor = editor,
            .give_back = give_back,
            .random = random_,
            .clock = clock,
            .plant = plant}) {
    store_.news.listen([this](const sqlite::News::Edition& news) {
        for (const auto& sale : news.sales) catalog.put_committed(sale);
    });
    // Nobody is let in before the server is ready.
    schedule.set_calm(true);
    schedule.start(open(*this, clock.now()));
    schedule.settle_down();
    schedule.set_calm(false);
}

void Process::heal_flags() {
    if (plant_ == Plant::flag_never_cleared) return;
    schedule.start(flags.heal(gate));
    schedule.settle_down();
}

std::optional<SaleId> Process::stale_flag() const {
    for (const auto& displayed : catalog.list_sales(std::nullopt, std::nullopt, 100, {}))
        if (gate::SoldOutFlags::is_up(*displayed) &&
            hot().glance(displayed->sale.id, UserId{}).left > 0)
            return displayed->sale.id;
    return std::nullopt;
}

Process::~Process() {
    store_.news.listen({});
}

}  // namespace sluice::simulation
