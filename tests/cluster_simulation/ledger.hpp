#pragma once

#include <map>
#include <vector>

#include "cluster_simulation/switches.hpp"
#include "domain/order.hpp"
#include "domain/sale.hpp"
#include "ports/order_ledger.hpp"
#include "ports/ticket_ledger.hpp"

namespace sluice::cluster_simulation {

/// The ledger of one sale: small, strict, and in memory. Each public function is one transaction,
/// which reads, asks the real rules, and writes. It may be set back to an earlier state.
class Ledger {
  public:
    struct Row {
        Ticket ticket;
        TicketRecord record;
    };
    /// Everything that a backup contains.
    struct State {
        std::string name;
        Sale sale;
        std::map<UserId, std::int64_t> holdings;  // including those who hold nothing now
        std::map<TicketId, Row> journal;
        std::map<OrderId, Order> orders;
        std::vector<HotChange> outbox;  // row n is at n - 1

        /// The present epoch has outbox rows that take units away, or the ledger was restored
        /// during it: then two claims may share one unit.
        bool may_overpromise = false;
    };
    /// Called for every ticket that is decided now.
    using OnDecision = std::function<void(const Row&)>;

    Ledger(Sale sale, Switch left_out);

    const State& state() const { return state_; }
    std::uint64_t changes() const { return changes_; }
    void on_decision(OnDecision callback) { on_decision_ = std::move(callback); }

    // Tickets.
    std::vector<TicketLedger::Written> write(const std::vector<Ticket>& tickets, Timestamp now);
    std::vector<TicketLedger::Written> prepare(const std::vector<Ticket>& tickets);
    std::vector<Ticket> prepared(std::size_t most) const;
    OrderLedger::Past past(const Ticket& wish) const;
    std::vector<TicketRecord> find(const std::vector<Ticket>& tickets) const;
    std::vector<TicketRecord> fence(const std::vector<Ticket>& tickets);

    // Ways back.
    Outcome<OrderLedger::GivenBack> cancel(OrderId id, UserId buyer, Timestamp now);
    std::optional<Timestamp> next_due(OrderLedger::DuePlace after) const;
    OrderLedger::Expired expire(Timestamp now, std::size_t limit, OrderLedger::DuePlace after);
    void restock(std::int64_t delta, Timestamp now);

    // Hot copies.
    std::vector<HotChange> hot_changes(std::int64_t after, std::size_t limit) const;
    OrderLedger::HotCopy hot_copy() const;
    OrderLedger::HotCopy begin_epoch(std::int64_t above, Timestamp now);

    void back_up() { backup_ = state_; }
    /// Forgets everything after the last backup, and gets another name. Returns the state before.
    State restore();

  private:
    OrderIntake::Taken write(const Ticket& ticket, Timestamp now);
    OrderIntake::Taken prepare(const Ticket& ticket);
    std::vector<TicketRecord> list_wish(const Ticket& ticket) const;
    void decide(const Ticket& ticket, TicketRecord& record, Timestamp now);
    void give_back(Order& order, OrderState to);
    void tell_hot_copy(HotChange change);

    const Switch left_out_;
    OnDecision on_decision_ = [](const Row&) {};
    State state_;
    State backup_;
    int restores_ = 0;
    std::int64_t orders_made_ = 0;  // including those that are forgotten
    std::uint64_t changes_ = 0;
};

}  // namespace sluice::cluster_simulation
