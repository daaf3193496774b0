#pragma once

#include <chrono>
#include <span>
#include <vector>

#include "app/purchase/claim_settler.hpp"
#include "observe/log.hpp"
#include "ports/clock.hpp"
#include "ports/order_ledger.hpp"
#include "ports/stock_gate.hpp"

namespace sluice {

/// Settles or releases claims whose hand-off never reported its outcome. The journal decides. A
/// ticket that it does not know gets a rolled-back row: that row is the fence, which no late
/// hand-off can pass, and only after it the units return. Claims that were handed off are never
/// rolled back for their age: those whose row is final are settled or released. Each step may be
/// repeated, and two reapers may run at once.
class ClaimReaper {
  public:
    /// Longer than any hand-off waits for its store (src/assembly/relations.cpp); otherwise it
    /// could be fenced before it arrives.
    static constexpr std::chrono::seconds kPatience{10};

    ClaimReaper(StockGate& gate, OrderLedger& ledger, ClaimSettler& settler, const Clock& clock,
                Log& log)
        : gate_(gate), ledger_(ledger), settler_(settler), clock_(clock), log_(log) {}

    /// One round. May throw Outage: the claims stay condemned, and the next round finds them. A
    /// claim that the journal cannot take stays too, and prevents no other from being settled.
    Task<> reap_once();

  private:
    /// Tickets that are looked up, or fenced, at once.
    static constexpr std::size_t kAtOnce = 256;

    static std::vector<Ticket> next_batch(std::span<const Ticket>& left);
    Task<std::vector<Ticket>> conclude_known(std::vector<Ticket> tickets);
    Task<> fence(std::vector<Ticket> absent, std::vector<TicketId>& stuck);
    void report(const std::vector<TicketId>& stuck);
    Task<> conclude(std::vector<Ticket> tickets, std::vector<TicketRecord> records);

    StockGate& gate_;
    OrderLedger& ledger_;
    ClaimSettler& settler_;
    const Clock& clock_;
    Log& log_;
    std::optional<TicketId> reported_;  // the first ticket of those that were stuck
};

}  // namespace sluice
