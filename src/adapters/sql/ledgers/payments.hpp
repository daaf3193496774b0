#pragma once

#include "adapters/sql/ledgers/engine.hpp"
#include "ports/payment_ledger.hpp"

namespace sluice::ledgers {

class ArchiveReturns;

class Payments final : public PaymentLedger {
  public:
    Payments(Writer& writer, Readers& readers, News& news, ArchiveReturns& returns)
        : writer_(writer), readers_(readers), news_(news), returns_(returns) {}

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
    Writer& writer_;
    Readers& readers_;
    News& news_;
    ArchiveReturns& returns_;
};

/// The calls above, inside a transaction of the caller, who rolls it back after a refusal. An event
/// and a refund throw InArchive for a sale that is archived.
Outcome<Payment> begin_payment(Database&, Payment draft, UserId buyer);
Outcome<Created> keep_bill(Database&, PaymentId, const Bill&, const std::optional<Receipt>&);
Outcome<PaymentLedger::Taken> take_payment_event(Database&, const PaymentEvent&, Timestamp now,
                                                 News&);
Outcome<OrderLedger::GivenBack> refund_order(Database&, OrderId, Deed, News&);
PaymentLedger::OwedRefunds list_owed_refunds(Database&, const std::string& provider, Timestamp now,
                                             std::size_t limit);
Done note_refunded(Database&, ChargeId, Timestamp now);
Done put_off_refund(Database&, ChargeId, Timestamp until);
Outcome<OrderId> note_sent_back(Database&, ChargeId, const std::string& at_work, Deed);
std::optional<PaymentLedger::History> read_money_history(Database&, OrderId);

}  // namespace sluice::ledgers
