#include "adapters/sql/ledgers/payments.hpp"

#include <stdexcept>
#include <tuple>

#include "adapters/sql/ledgers/archive.hpp"
#include "adapters/sql/ledgers/archive_returns.hpp"
#include "adapters/sql/ledgers/catalog.hpp"
#include "adapters/sql/ledgers/orders.hpp"
#include "adapters/sql/ledgers/receipts.hpp"
#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/ledgers/ways_back.hpp"
#include "adapters/sql/payment_rows.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "base/check.hpp"
#include "domain/deed_details.hpp"
#include "domain/order_rules.hpp"

namespace sluice::ledgers {
namespace {

using Taken = PaymentLedger::Taken;

template <class Key>
std::optional<Payment> find_payment(Database& database, std::string_view query, Key key) {
    return database.row<PaymentRow>(query, key).transform(to_payment);
}

/// The facts of the ledger about an event. The order is read only when there is new money.
struct Facts {
    bool is_charge_known = false;
    std::optional<Order> order{};

    EventFacts view() const { return {is_charge_known, order ? &*order : nullptr}; }
};

Facts read_facts(Database& database, const PaymentEvent& event, const Payment& payment) {
    Facts facts;
    if (event.type != PaymentEvent::Type::payment_succeeded) return facts;
    facts.is_charge_known =
        database.has_row(sql::has_charge, event.provider, event.charge.ref, payment.id);
    if (facts.is_charge_known) return facts;
    facts.order = find_order(database, payment.order, std::nullopt);
    if (!facts.order)
        throw std::logic_error("order " + payment.order.text() +
                               " of a payment is not there; run sluice audit");
    return facts;
}

/// The charge belongs to the provider that reports it, not to the one at which the payment was
/// begun.
void add_charge(Database& database, const Payment& payment, const PaymentEvent& event,
                const EventPlan& plan, Timestamp now) {
    const auto& charge = event.charge;
    database.run(sql::add_charge, charge.id, payment.id, payment.order, event.provider, charge.ref,
                 charge.amount_cents, charge.currency, !plan.refund, now);
    if (plan.refund) database.run(sql::owe_refund, charge.id, *plan.refund, now);
}

void pay_order(Database& database, const Order& order, Timestamp now, News& news) {
    const bool done = database.run(sql::pay_order, order.id, now) == 1 &&
                      database.run(sql::sell_held, order.sale_id, order.quantity) == 1;
    if (!done)
        throw std::logic_error("the units of order " + order.id.text() +
                               " are not where they should be; run sluice audit");
    news.note(find_sale(database, order.sale_id).value());
    if (!news.wants(order.buyer)) return;
    Order paid = order;
    paid.state = OrderState::paid;
    paid.paid_at = now;
    news.note(BuyerNews{order.buyer, std::move(paid)});
}

}  // namespace

Task<Outcome<Payment>> Payments::begin(Payment draft, UserId buyer) {
    return writer_.write<Outcome<Payment>>([draft = std::move(draft), buyer](Database& database) {
        return begin_payment(database, draft, buyer);
    });
}

Task<Outcome<Created>> Payments::keep_bill(PaymentId id, Bill bill,
                                           std::optional<Receipt> receipt) {
    return writer_.write<Outcome<Created>>(
        [id, bill = std::move(bill), receipt = std::move(receipt)](Database& database) {
            return ledgers::keep_bill(database, id, bill, receipt);
        });
}

Task<Outcome<Taken>> Payments::take(PaymentEvent event, Timestamp now) {
    return returns_.write<Outcome<Taken>>(
        [event = std::move(event), now, &news = news_](Database& database) {
            return take_payment_event(database, event, now, news);
        });
}

Task<Outcome<OrderLedger::GivenBack>> Payments::refund(OrderId id, Deed deed) {
    return returns_.write<Outcome<OrderLedger::GivenBack>>(
        [id, deed = std::move(deed), &news = news_](Database& database) {
            return refund_order(database, id, deed, news);
        });
}

Task<Outcome<OrderId>> Payments::note_sent_back(ChargeId id, std::string at_work, Deed deed) {
    return writer_.write<Outcome<OrderId>>(
        [id, at_work = std::move(at_work), deed = std::move(deed)](Database& database) {
            return ledgers::note_sent_back(database, id, at_work, deed);
        });
}

Task<PaymentLedger::OwedRefunds> Payments::owed_refunds(std::string provider, Timestamp now,
                                                        std::size_t limit) {
    return readers_.read<OwedRefunds>(
        [provider = std::move(provider), now, limit](Database& database) {
            return list_owed_refunds(database, provider, now, limit);
        });
}

Task<Done> Payments::note_refunded(ChargeId id, Timestamp now) {
    return writer_.write<Done>(
        [id, now](Database& database) { return ledgers::note_refunded(database, id, now); });
}

Task<Done> Payments::put_off_refund(ChargeId id, Timestamp until) {
    return writer_.write<Done>(
        [id, until](Database& database) { return ledgers::put_off_refund(database, id, until); });
}

Task<std::optional<PaymentLedger::History>> Payments::history(OrderId id) {
    return readers_.read<std::optional<History>>([id](Database& database) {
        return find_in_both(database, Sought{.from = id},
                            [id](Database& one) { return read_money_history(one, id); });
    });
}

Outcome<Payment> begin_payment(Database& database, Payment draft, UserId buyer) {
    const auto order = find_in_both(database, Sought{.from = draft.order}, [&](Database& one) {
        return find_order(one, draft.order, buyer);
    });
    if (!order) return refuse(Reason::not_found);
    auto open = find_payment(database, sql::find_open_payment, order->id);
    const PaymentFacts payments{
        .has_open = open.has_value(),
        .count = database.value<std::size_t>(sql::count_payments, order->id)};
    if (auto no = why_not_payable(*order, payments, draft.created_at))
        return std::unexpected(std::move(*no));
    if (open) return std::move(*open);
    draft.amount_cents = order->total_cents();
    draft.currency = order->currency;
    database.run(sql::add_payment, to_row(draft));
    return draft;
}

Outcome<Created> keep_bill(Database& database, PaymentId id, const Bill& bill,
                           const std::optional<Receipt>& receipt) {
    return create_once(database, receipt, [&]() -> Outcome<Done> {
        database.run(sql::keep_bill, id, bill.ref, bill.url);
        return Done{};
    });
}

Outcome<Taken> take_payment_event(Database& database, const PaymentEvent& event, Timestamp now,
                                  News& news) {
    // Money may come long after the sale was archived; it is handled like any other.
    expect_in_ledger(database, event.payment);
    auto payment = find_payment(database, sql::find_payment, event.payment);
    if (!payment) return refuse(Reason::not_found);
    if (database.has_row(sql::has_payment_event, event.provider, event.id, event.payment))
        return Taken{
            .outcome = EventOutcome::repeated, .order = payment->order, .returned = std::nullopt};
    auto facts = read_facts(database, event, *payment);
    const auto plan = plan_for(event, *payment, facts.view(), now);
    database.run(sql::add_payment_event, event.provider, event.id, event.payment, event.type,
                 plan.outcome, now);
    if (facts.order) add_charge(database, *payment, event, plan, now);
    if (plan.payment != payment->state)
        database.run(sql::change_payment, payment->id, plan.payment);
    if (event.type == PaymentEvent::Type::refund_succeeded)
        database.run(sql::note_refund_told, event.refund, event.payment, now, event.provider);
    Taken taken{.outcome = plan.outcome, .order = payment->order, .returned = std::nullopt};
    // News of the stock must be noted as the last step of a write.
    if (plan.outcome == EventOutcome::captured) pay_order(database, *facts.order, now, news);
    // The expirer has not reached it yet.
    if (plan.ends_order)
        taken.returned =
            give_back(database, std::move(*facts.order), OrderState::expired, now, news)
                .order.sale_id;
    return taken;
}

Outcome<OrderLedger::GivenBack> refund_order(Database& database, OrderId id, Deed deed,
                                             News& news) {
    expect_in_ledger(database, id);
    auto order = find_order(database, id, std::nullopt);
    if (!order) return refuse(Reason::not_found);
    const auto step = judge_refund(*order);
    if (!step) return std::unexpected(step.error());
    if (*step == Step::stands)
        return OrderLedger::GivenBack{.order = std::move(*order), .fresh = false};
    const auto capture = database.row<std::tuple<ChargeId, PaymentId>>(sql::find_capture, id);
    if (!capture)
        throw std::logic_error("order " + id.text() + " is paid without money; run sluice audit");
    const auto [charge, payment] = *capture;
    database.run(sql::owe_refund, charge, RefundReason::operator_, deed.at);
    database.run(sql::change_payment, payment, PaymentState::refunded);
    deed.before = deed_details(order->state);
    deed.after = deed_details(OrderState::refunded);
    add_deed(database, deed);
    return give_back(database, std::move(*order), OrderState::refunded, deed.at, news);
}

PaymentLedger::OwedRefunds list_owed_refunds(Database& database, const std::string& provider,
                                             Timestamp now, std::size_t limit) {
    PaymentLedger::OwedRefunds refunds;
    refunds.due = database.rows<OwedRefundRow>(sql::list_owed_refunds, provider, now, limit)
                      .to_vector(to_owed_refund);
    for (auto& [name, count] :
         database.rows<std::tuple<std::string, std::size_t>>(sql::count_owed_refunds))
        refunds.owed.emplace(std::move(name), count);
    return refunds;
}

Outcome<OrderId> note_sent_back(Database& database, ChargeId id, const std::string& at_work,
                                Deed deed) {
    auto refund = database.row<SentBackRow>(sql::find_refund, id);
    if (!refund) return refuse(Reason::not_found);
    const auto order = refund->order;
    if (refund->done) return order;
    if (!may_send_back_by_hand(refund->provider, at_work, refund->attempts))
        return refuse(Reason::conflict);
    database.run(sql::note_refund_by_hand, id, deed.at);
    deed.subject = order.text();
    deed.after = deed_details(to_sent_back(std::move(*refund)));
    add_deed(database, deed);
    return order;
}

Done note_refunded(Database& database, ChargeId id, Timestamp now) {
    database.run(sql::note_refunded, id, now);
    return {};
}

Done put_off_refund(Database& database, ChargeId id, Timestamp until) {
    database.run(sql::put_off_refund, id, until);
    return {};
}

std::optional<PaymentLedger::History> read_money_history(Database& database, OrderId id) {
    auto order = find_order(database, id, std::nullopt);
    if (!order) return std::nullopt;
    return PaymentLedger::History{
        .order = std::move(*order),
        .payments = database.rows<PaymentRow>(sql::list_payments, id).to_vector(to_payment),
        .money = database.rows<MoneyRow>(sql::list_money, id).to_vector(to_money),
        .events = database.rows<PaymentEventRow>(sql::list_payment_events, id).to_vector(to_event)};
}

}  // namespace sluice::ledgers
