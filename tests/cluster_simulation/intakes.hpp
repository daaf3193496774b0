#pragma once

#include <atomic>

#include "cluster_simulation/switches.hpp"
#include "ports/order_intake.hpp"
#include "ports/stock_gate.hpp"
#include "ports/ticket_ledger.hpp"

namespace sluice::cluster_simulation {

/// The direct hand-off: the edge's own transaction decides.
class DirectIntake final : public OrderIntake {
  public:
    explicit DirectIntake(TicketLedger& ledger) : ledger_(ledger) {}

    std::optional<Slot> reserve() override;
    Task<Taken> submit(Slot slot, Ticket ticket) override;
    std::size_t backlog() const override { return under_way_; }

  private:
    TicketLedger& ledger_;
    std::atomic<std::size_t> under_way_ = 0;
};

/// An intake whose edge releases a claim without the journal, if that switch is set.
class ReleasingIntake final : public OrderIntake {
  public:
    ReleasingIntake(OrderIntake& intake, StockGate& gate, Switch left_out)
        : intake_(intake), gate_(gate), left_out_(left_out) {}

    std::optional<Slot> reserve() override { return intake_.reserve(); }
    Task<Taken> submit(Slot slot, Ticket ticket) override;
    std::size_t backlog() const override { return intake_.backlog(); }

  private:
    OrderIntake& intake_;
    StockGate& gate_;
    const Switch left_out_;
};

}  // namespace sluice::cluster_simulation
