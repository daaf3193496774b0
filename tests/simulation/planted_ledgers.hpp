#pragma once

#include "app/catalog/catalog.hpp"
#include "base/id_source.hpp"
#include "ports/clock.hpp"
#include "ports/order_ledger.hpp"
#include "ports/payment_ledger.hpp"
#include "simulation/plants.hpp"
#include "simulation/store.hpp"

namespace sluice::simulation {

/// Orders with a bug, when the plant is one of expiry.
class PlantedOrders final : public OrderLedger {
  public:
    PlantedOrders(OrderLedger& orders, Store& store, Plant plant)
        : orders_(orders), store_(store), plant_(plant) {}

    Task<Past> past(Ticket wish) override { return orders_.past(std::move(wish)); }
    Task<std::optional<TicketRecord>> latest_ticket(SaleId sale, UserId buyer) override {
        return orders_.latest_ticket(sale, buyer);
    }
    Task<std::optional<TicketRecord>> ticket(TicketId id, UserId buyer) override {
        return orders_.ticket(id, buyer);
    }
    Task<UnpaidHolds> unpaid_holds(SaleId sale, UserId buyer) override {
        return orders_.unpaid_holds(sale, buyer);
    }
    Task<std::optional<Order>> order(OrderId id, UserId buyer) override {
        return orders_.order(id, buyer);
    }
    Task<std::vector<Order>> orders(UserId buyer, std::optional<OrderId> before,
                                    std::size_t limit) override {
        return orders_.orders(buyer, before, limit);
    }
    Task<Outcome<GivenBack>> cancel(OrderId id, UserId buyer, Timestamp now) override {
        return orders_.cancel(id, buyer, now);
    }
    Task<HoldsGivenBack> give_back_holds(HoldsWanted wanted, Deed deed) override {
        return orders_.give_back_holds(std::move(wanted), std::move(deed));
    }
    Task<std::optional<Timestamp>> next_due(DuePlace after) override {
        return orders_.next_due(after);
    }
    Task<Expired> expire(Timestamp now, std::size_t limit, DuePlace after) override;
    Task<std::vector<TicketRecord>> tickets(std::vector<Ticket> tickets) override {
        return orders_.tickets(std::move(tickets));
    }
    Task<std::vector<HotChange>> hot_changes(SaleId sale, std::int64_t after,
                                             std::size_t limit) override {
        return orders_.hot_changes(sale, after, limit);
    }
    Task<std::size_t> prune_hot_changes(Timestamp older_than, std::size_t limit) override {
        return orders_.prune_hot_changes(older_than, limit);
    }
    Task<Fenced> fence(std::vector<Ticket> tickets) override {
        return orders_.fence(std::move(tickets));
    }
    Task<std::string> name() override { return orders_.name(); }
    Task<std::vector<HotCopy>> hot_copies(Timestamp now) override {
        return orders_.hot_copies(now);
    }
    Task<std::optional<HotCopy>> hot_copy(SaleId sale) override { return orders_.hot_copy(sale); }
    Task<std::optional<HotCopy>> begin_epoch(SaleId sale, std::int64_t above,
                                             Timestamp now) override {
        return orders_.begin_epoch(sale, above, now);
    }

  private:
    OrderLedger& orders_;
    Store& store_;
    const Plant plant_;
};

/// Sales with a bug, when the plant is one of an operator's change.
class PlantedCatalog final : public CatalogLedger {
  public:
    PlantedCatalog(CatalogLedger& sales, const Catalog& shown, const Clock& clock, IdSource& ids,
                   Plant plant)
        : sales_(sales), shown_(shown), clock_(clock), ids_(ids), plant_(plant) {}

    Task<Contents> load() override { return sales_.load(); }
    Task<Outcome<Created>> add_item(Item item, Deed deed, std::optional<Receipt> receipt) override {
        return sales_.add_item(std::move(item), std::move(deed), std::move(receipt));
    }
    Task<Outcome<Done>> update_item(Item item, Deed deed) override {
        return sales_.update_item(std::move(item), std::move(deed));
    }
    Task<Outcome<Created>> add_sale(Sale sale, Deed deed, std::optional<Receipt> receipt) override {
        return sales_.add_sale(std::move(sale), std::move(deed), std::move(receipt));
    }
    Task<Outcome<SaleChanged>> change_sale(SaleId id, DecideSale decide,
                                           std::optional<Receipt> receipt) override;

  private:
    CatalogLedger& sales_;
    const Catalog& shown_;
    const Clock& clock_;
    IdSource& ids_;
    const Plant plant_;
};

/// Money with a bug, when the plant is one of payments.
class PlantedPayments final : public PaymentLedger {
  public:
    PlantedPayments(PaymentLedger& payments, Store& store, Schedule& schedule, Plant plant)
        : payments_(payments), store_(store), schedule_(schedule), plant_(plant) {}

    Task<Outcome<Payment>> begin(Payment draft, UserId buyer) override {
        return payments_.begin(std::move(draft), buyer);
    }
    Task<Outcome<Created>> keep_bill(PaymentId id, Bill bill,
                                     std::optional<Receipt> receipt) override {
        return payments_.keep_bill(id, std::move(bill), std::move(receipt));
    }
    Task<Outcome<Taken>> take(PaymentEvent event, Timestamp now) override;
    Task<Outcome<OrderLedger::GivenBack>> refund(OrderId id, Deed deed) override {
        return payments_.refund(id, std::move(deed));
    }
    Task<OwedRefunds> owed_refunds(std::string provider, Timestamp now, std::size_t limit) override;
    Task<Done> note_refunded(ChargeId id, Timestamp now) override {
        return payments_.note_refunded(id, now);
    }
    Task<Done> put_off_refund(ChargeId id, Timestamp until) override {
        return payments_.put_off_refund(id, until);
    }
    Task<Outcome<OrderId>> note_sent_back(ChargeId id, std::string at_work, Deed deed) override {
        return payments_.note_sent_back(id, std::move(at_work), std::move(deed));
    }
    Task<std::optional<History>> history(OrderId id) override { return payments_.history(id); }

  private:
    OrderState state_of(PaymentId payment);

    PaymentLedger& payments_;
    Store& store_;
    Schedule& schedule_;
    const Plant plant_;
};

}  // namespace sluice::simulation
