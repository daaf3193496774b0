#pragma once

#include "ports/catalog_ledger.hpp"
#include "ports/order_ledger.hpp"
#include "simulation/schedule.hpp"
#include "simulation/store.hpp"

namespace sluice::simulation {

/// The orders of the store, late and sometimes away. An outage leaves nothing behind: SQLite rolls
/// a transaction back when its commit fails, and only a crash may bring it back.
class FaultyOrders final : public OrderLedger {
  public:
    FaultyOrders(Store& store, Schedule& schedule) : store_(store), schedule_(schedule) {}

    Task<Past> past(Ticket wish) override;
    Task<std::optional<TicketRecord>> latest_ticket(SaleId sale, UserId buyer) override;
    Task<std::optional<TicketRecord>> ticket(TicketId id, UserId buyer) override;
    Task<UnpaidHolds> unpaid_holds(SaleId sale, UserId buyer) override;
    Task<std::optional<Order>> order(OrderId id, UserId buyer) override;
    Task<std::vector<Order>> orders(UserId buyer, std::optional<OrderId> before,
                                    std::size_t limit) override;
    Task<Outcome<GivenBack>> cancel(OrderId id, UserId buyer, Timestamp now) override;
    Task<HoldsGivenBack> give_back_holds(HoldsWanted wanted, Deed deed) override;
    Task<std::optional<Timestamp>> next_due(DuePlace after) override;
    Task<Expired> expire(Timestamp now, std::size_t limit, DuePlace after) override;
    Task<std::vector<TicketRecord>> tickets(std::vector<Ticket> tickets) override;
    Task<std::vector<HotChange>> hot_changes(SaleId sale, std::int64_t after,
                                             std::size_t limit) override;
    Task<std::size_t> prune_hot_changes(Timestamp older_than, std::size_t limit) override;
    Task<Fenced> fence(std::vector<Ticket> tickets) override;
    Task<std::string> name() override;
    Task<std::vector<HotCopy>> hot_copies(Timestamp now) override;
    Task<std::optional<HotCopy>> hot_copy(SaleId sale) override;
    Task<std::optional<HotCopy>> begin_epoch(SaleId sale, std::int64_t above,
                                             Timestamp now) override;

  private:
    Store& store_;
    Schedule& schedule_;
};

/// The same for sales. Items do not change here.
class FaultyCatalog final : public CatalogLedger {
  public:
    FaultyCatalog(Store& store, Schedule& schedule) : store_(store), schedule_(schedule) {}

    Task<Contents> load() override;
    Task<Outcome<Created>> add_item(Item item, Deed deed, std::optional<Receipt> receipt) override;
    Task<Outcome<Done>> update_item(Item item, Deed deed) override;
    Task<Outcome<Created>> add_sale(Sale sale, Deed deed, std::optional<Receipt> receipt) override;
    Task<Outcome<SaleChanged>> change_sale(SaleId id, DecideSale decide,
                                           std::optional<Receipt> receipt) override;

  private:
    Store& store_;
    Schedule& schedule_;
};

}  // namespace sluice::simulation
