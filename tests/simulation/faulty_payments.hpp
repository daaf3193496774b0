#pragma once

#include "ports/payment_ledger.hpp"
#include "simulation/schedule.hpp"
#include "simulation/store.hpp"

namespace sluice::simulation {

/// The money of the store, late and sometimes away; like FaultyOrders.
class FaultyPayments final : public PaymentLedger {
  public:
    FaultyPayments(Store& store, Schedule& schedule) : store_(store), schedule_(schedule) {}

    Task<Outcome<Payment>> begin(Payment draft, UserId buyer) override;
    Task<Outcome<Created>> keep_bill(PaymentId id, Bill bill,
                                     std::optional<Receipt> receipt) override;
    Task<Outcome<Taken>> take(PaymentEvent event, Timestamp now) override;
    Task<Outcome<OrderLedger::GivenBack>> refund(OrderId id, Deed deed) override;
    Task<OwedRefunds> owed_refunds(std::string provider, Timestamp now, std::size_t limit) override;
    Task<Done> note_refunded(ChargeId id, Timestamp now) override;
    Task<Done> put_off_refund(ChargeId id, Timestamp until) override;
    Task<Outcome<OrderId>> note_sent_back(ChargeId id, std::string at_work, Deed deed) override;
    Task<std::optional<History>> history(OrderId id) override;

  private:
    Store& store_;
    Schedule& schedule_;
};

}  // namespace sluice::simulation
