#pragma once

#include <map>

#include "adapters/memory/memory_stock_gate.hpp"
#include "app/catalog/sold_out_flags.hpp"
#include "app/orders/hear_payment.hpp"
#include "app/orders/pay.hpp"
#include "app/passes/local_entry_desk.hpp"
#include "assembly/purchase_line.hpp"
#include "simulation/bank.hpp"
#include "simulation/door.hpp"
#include "simulation/faulty_gate.hpp"
#include "simulation/faulty_intake.hpp"
#include "simulation/faulty_ledger.hpp"
#include "simulation/faulty_payments.hpp"
#include "simulation/planted_ledgers.hpp"
#include "simulation/plants.hpp"
#include "support/pass_keys.hpp"
#include "support/seeded_random.hpp"
#include "workers/refunder.hpp"

namespace sluice::simulation {

/// Everything that a server keeps in memory, wired as in the server, over ports that fail. Its
/// destruction is a crash; the next one begins with what the store holds.
class Process {
  public:
    /// `number` distinguishes the processes of a run: they must not make the same ids.
    Process(Store& store, Bank& bank, Chance& chance, const Clock& clock, Plant plant,
            std::uint32_t number);
    ~Process();

  private:
    Store& store_;
    LocalLoop loop_;
    testing_support::SeededRandom random_;
    const PassKeyRing pass_keys_{{testing_support::pass_key(1)}};
    const Passes passes_{pass_keys_};
    const TicketMarks marks_;
    LossySignals signals_;
    MemoryStockGate memory_gate_{&signals_};
    PlantedClock planted_clock_;
    Log log_{Log::Level::error, Log::Format::text};
    const Plant plant_;

  public:
    Schedule schedule;
    PlantedGate planted_gate;
    FaultyGate gate;
    FaultyOrders faulty_orders;
    PlantedOrders orders;
    FaultyCatalog faulty_sales;
    FaultyPayments faulty_payments;
    PlantedPayments payments;
    FarProvider provider;
    IdSource ids;
    FaultyIntake intake;
    PlantedCatalog sales;

    Catalog catalog;
    SoldOutFlags flags;
    PlantedLimiter limiter;
    LocalEntryDesk desk{passes_, random_, planted_clock_};
    ClaimLine claims;
    PurchaseLine line;
    Pay pay;
    HearPayment hear_payment;
    Refunder refunder;
    Door door;

    /// As the keeper does once a second.
    void heal_flags();
    /// A sale whose flag says sold out although something is left.
    std::optional<SaleId> stale_flag() const;

    /// The hot copy itself, without any fault or plant.
    const StockGate& hot() const { return memory_gate_; }
    const TicketMarks& marks() const { return marks_; }

    /// One round of the keeper of hot copies, unless one is under way.
    Task<> look_after_copies();

    /// Fills missing hot copies, then looks at all of them twice.
    Task<> compare_copies();

    /// As if the copy had drifted.
    Task<> refill(SaleId sale);

    /// Whether compare_copies() found drift.
    bool has_drifted(SaleId sale) const;

    LocalLoop& loop() { return loop_; }

  private:
    bool keeper_is_round_ = false;
    std::map<SaleId, std::uint64_t> drifts_before_rest_;
};

}  // namespace sluice::simulation
