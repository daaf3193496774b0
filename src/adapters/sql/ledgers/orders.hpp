#pragma once

#include "adapters/sql/ledgers/engine.hpp"
#include "adapters/sql/ledgers/ticket_desk.hpp"
#include "ports/order_ledger.hpp"

namespace sluice::ledgers {

class Orders final : public OrderLedger {
  public:
    Orders(Writer& writer, Readers& readers, News& news, FindTickets find_tickets)
        : writer_(writer), readers_(readers), news_(news), find_tickets_(find_tickets) {}

    Task<Past> past(Ticket wish) override;
    Task<std::optional<TicketRecord>> latest_ticket(SaleId sale, UserId buyer) override;
    Task<UnpaidHolds> unpaid_holds(SaleId sale, UserId buyer) override;
    Task<std::optional<TicketRecord>> ticket(TicketId id, UserId buyer) override;
    Task<std::optional<Order>> order(OrderId id, UserId buyer) override;
    Task<std::vector<Order>> orders(UserId buyer, std::optional<OrderId> before,
                                    std::size_t limit) override;
    Task<Outcome<GivenBack>> cancel(OrderId id, UserId buyer, Timestamp now) override;
    Task<HoldsGivenBack> give_back_holds(HoldsWanted wanted, Deed deed) override;
    Task<std::optional<Timestamp>> next_due(DuePlace after) override;
    Task<Expired> expire(Timestamp now, std::size_t limit, DuePlace after) override;
    Task<std::vector<TicketRecord>> tickets(std::vector<Ticket> tickets) override;
    Task<Fenced> fence(std::vector<Ticket> tickets) override;
    Task<std::vector<HotChange>> hot_changes(SaleId sale, std::int64_t after,
                                             std::size_t limit) override;
    Task<std::size_t> prune_hot_changes(Timestamp older_than, std::size_t limit) override;
    Task<std::string> name() override;
    Task<std::vector<OrderLedger::HotCopy>> hot_copies(Timestamp now) override;
    Task<std::optional<OrderLedger::HotCopy>> hot_copy(SaleId sale) override;
    Task<std::optional<OrderLedger::HotCopy>> begin_epoch(SaleId sale, std::int64_t above,
                                                          Timestamp now) override;

  private:
    Writer& writer_;
    Readers& readers_;
    News& news_;
    const FindTickets find_tickets_;
};

/// The calls above, inside a transaction of the caller, who rolls it back after a refusal.

/// Of any buyer when none is given.
OrderLedger::Past read_past(Database&, const Ticket& wish);
std::optional<Order> find_order(Database&, OrderId, std::optional<UserId> buyer);
UnpaidHolds find_unpaid_holds(Database&, SaleId, UserId buyer);
std::vector<Order> list_orders(Database&, UserId buyer, OrderId below, std::size_t limit);
Outcome<OrderLedger::GivenBack> cancel_order(Database&, OrderId, UserId buyer, Timestamp now,
                                             News&);
OrderLedger::Fenced fence_tickets(Database&, const std::vector<Ticket>&, News&);
std::string read_ledger_name(Database&);
std::vector<OrderLedger::HotCopy> read_hot_copies(Database&, Timestamp now);
std::optional<OrderLedger::HotCopy> read_hot_copy(Database&, SaleId);
std::optional<OrderLedger::HotCopy> begin_epoch(Database&, SaleId, std::int64_t above,
                                                Timestamp now, News&);

}  // namespace sluice::ledgers
