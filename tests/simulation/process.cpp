#include "simulation/process.hpp"

namespace sluice::simulation {
namespace {

Task<> open(Process& process) {
    co_await process.catalog.reload();
    co_await process.hot_copies.fill_at_start();
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
      reaper(gate, orders, clock, log_),
      expirer(orders, gate, clock, log_),
      refunder(payments, &provider, clock, log_),
      hot_copies(
          gate, orders,
          [this](const auto& each) {
              catalog.visit_sales([&](const auto& displayed) { each(displayed->sale); });
          },
          clock, log_) {
    store_.news.listen([this](const sqlite::News::Edition& news) {
        for (const auto& sale : news.sales) catalog.put_committed(sale);
    });
    // Nobody is let in before the server is ready.
    schedule.set_calm(true);
    schedule.start(open(*this));
    schedule.settle_down();
    schedule.set_calm(false);
}

Task<> Process::refill(SaleId sale) {
    co_await hot_copies.fill(sale);
}

Task<> Process::compare_copies() {
    for (int round = 0; round < 3; ++round) co_await hot_copies.look_after_copies();
}

std::optional<std::string> Process::unexplained_drift() const {
    if (hot_copies.drifts() == 0 || faulty_intake_.has_hidden_an_order()) return std::nullopt;
    return std::to_string(hot_copies.drifts()) + " hot copies had drifted from the ledger";
}

void Process::heal_flags() {
    if (plant_ == Plant::flag_never_cleared) return;
    schedule.start(flags.heal(gate));
    schedule.settle_down();
}

Process::~Process() {
    store_.news.listen({});
}

}  // namespace sluice::simulation
