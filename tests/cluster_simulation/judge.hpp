#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "cluster_simulation/hot_tier.hpp"
#include "cluster_simulation/ledger.hpp"

namespace sluice::cluster_simulation {

/// Checks what must be true in spite of all faults. It sees everything, and remembers what buyers
/// were told.
class Judge {
  public:
    Judge(Ledger& ledger, HotTier& hot);

    /// The first promise that was broken.
    const std::optional<std::string>& broken() const { return broken_; }
    void break_promise(std::string what);

    /// An answer has reached its buyer.
    void hear(const TicketRecord& record);
    /// A backup was restored; this is the state of the ledger before.
    void note_restore(const Ledger::State& before);
    /// The broker has lost a message that it had confirmed.
    void note_lost(const std::vector<Ticket>& tickets);

    /// After each step.
    void check_step();
    /// When nothing is under way and nothing changes any more.
    void check_rest();

    std::size_t orders_promised() const { return orders_.size(); }
    std::size_t tickets_promised() const { return tickets_.size(); }
    std::size_t tickets_refused() const { return refused_; }

  private:
    void check_decision(const Ledger::Row& row);
    void check_stock();
    void check_wishes();
    void check_finals();
    void check_equation(const HotTier::View& view);
    void check_promises();
    void check_promise(const TicketId& ticket);
    void check_copy();
    void check_undecided(const TicketId& ticket);

    Ledger& ledger_;
    HotTier& hot_;
    std::optional<std::string> broken_;
    std::uint64_t seen_ = 0;                          // changes of the ledger
    std::set<OrderId> orders_;                        // promised with 201
    std::set<TicketId> tickets_;                      // promised with 202
    std::set<OrderId> lost_orders_;                   // forgotten by a restore
    std::set<TicketId> lost_tickets_;                 // their rows were forgotten by a restore
    std::map<TicketId, std::int64_t> lost_messages_;  // forgotten by the broker, with their epochs
    std::map<TicketId, TicketRecord> finals_;
    std::size_t refused_ = 0;
};

}  // namespace sluice::cluster_simulation
