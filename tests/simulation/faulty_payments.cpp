#include "simulation/faulty_payments.hpp"

#include "adapters/sql/ledgers/payments.hpp"
#include "simulation/faulty_work.hpp"

namespace sluice::simulation {

using sqlite::Database;

Task<Outcome<Payment>> FaultyPayments::begin(Payment draft, UserId buyer) {
    return write<Outcome<Payment>>(store_, schedule_, "payment",
                                   [draft = std::move(draft), buyer](Database& database) {
                                       return ledgers::begin_payment(database, draft, buyer);
                                   });
}

Task<Outcome<Created>> FaultyPayments::keep_bill(PaymentId id, Bill bill,
                                                 std::optional<Receipt> receipt) {
    return write<Outcome<Created>>(
        store_, schedule_, "bill",
        [id, bill = std::move(bill), receipt = std::move(receipt)](Database& database) {
            return ledgers::keep_bill(database, id, bill, receipt);
        });
}

Task<Outcome<PaymentLedger::Taken>> FaultyPayments::take(PaymentEvent event, Timestamp now) {
    return write<Outcome<Taken>>(
        store_, schedule_, "event",
        [event = std::move(event), now, &news = store_.news](Database& database) {
            return ledgers::take_payment_event(database, event, now, news);
        });
}

Task<Outcome<OrderLedger::GivenBack>> FaultyPayments::refund(OrderId id, Deed deed) {
    return write<Outcome<OrderLedger::GivenBack>>(
        store_, schedule_, "refund",
        [id, deed = std::move(deed), &news = store_.news](Database& database) {
            return ledgers::refund_order(database, id, deed, news);
        });
}

Task<PaymentLedger::OwedRefunds> FaultyPayments::owed_refunds(std::string provider, Timestamp now,
                                                              std::size_t limit) {
    return read<OwedRefunds>(store_, schedule_,
                             [provider = std::move(provider), now, limit](Database& database) {
                                 return ledgers::list_owed_refunds(database, provider, now, limit);
                             });
}

Task<Done> FaultyPayments::note_refunded(ChargeId id, Timestamp now) {
    return write<Done>(store_, schedule_, "refund's note", [id, now](Database& database) {
        return ledgers::note_refunded(database, id, now);
    });
}

Task<Outcome<OrderId>> FaultyPayments::note_sent_back(ChargeId id, std::string at_work, Deed deed) {
    return write<Outcome<OrderId>>(
        store_, schedule_, "operator's note",
        [id, at_work = std::move(at_work), deed = std::move(deed)](Database& database) {
            return ledgers::note_sent_back(database, id, at_work, deed);
        });
}

Task<Done> FaultyPayments::put_off_refund(ChargeId id, Timestamp until) {
    return write<Done>(store_, schedule_, "refund's delay", [id, until](Database& database) {
        return ledgers::put_off_refund(database, id, until);
    });
}

Task<std::optional<PaymentLedger::History>> FaultyPayments::history(OrderId id) {
    return read<std::optional<History>>(store_, schedule_, [id](Database& database) {
        return ledgers::read_money_history(database, id);
    });
}

}  // namespace sluice::simulation
