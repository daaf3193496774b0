#include "adapters/sqlite/ledgers/payments.hpp"

#include <stdexcept>

#include "adapters/sqlite/engine/statements.hpp"
#include "adapters/sqlite/ledgers/archive.hpp"
#include "adapters/sqlite/ledgers/archive_returns.hpp"
#include "adapters/sqlite/ledgers/catalog.hpp"
#include "adapters/sqlite/ledgers/orders.hpp"
#include "adapters/sqlite/ledgers/receipts.hpp"
#include "adapters/sqlite/ledgers/trail.hpp"
#include "adapters/sqlite/ledgers/ways_back.hpp"
#include "base/check.hpp"
#include "domain/deed_details.hpp"
#include "domain/order_rules.hpp"

namespace sluice::sqlite {
namespace {

using Taken = PaymentLedger::Taken;

Payment read_payment(const Statement& row) {
    const auto state = parse_payment_state(row.column<std::string>(5));
    CHECK(state.has_value(), "the schema allows only known states");
    Payment payment{.id = row.column<PaymentId>(0),
                    .order = row.column<OrderId>(1),
                    .provider = row.column<std::string>(2),
                    .amount_cents = row.column<std::int64_t>(3),
                    .currency = row.column<std::string>(4),
                    .state = *state,
                    .bill = std::nullopt,
                    .created_at = row.column<Timestamp>(8)};
    if (auto ref = row.column<std::optional<std::string>>(6))
        payment.bill = Bill{std::move(*ref), row.column<std::string>(7)};
    return payment;
}

template <class Key>
std::optional<Payment> find_payment(Database& database, std::string_view query, Key key) {
    auto row = database.query(query, key);
    if (!row.step()) return std::nullopt;
    return read_payment(row);
}

std::size_t count_payments(Database& database, OrderId order) {
    auto row = database.query(sql::count_payments, order);
    row.step();
    return static_cast<std::size_t>(row.column<std::int64_t>(0));
}

/// What is on record about an event. The order is read only when there is new money.
struct Facts {
    bool is_charge_known = false;
    std::optional<Order> order{};

    EventFacts view() const { return {is_charge_known, order ? &*order : nullptr}; }
};

Facts read_facts(Database& database, const PaymentEvent& event, const Payment& payment) {
    Facts facts;
    if (event.type != PaymentEvent::Type::payment_succeeded) return facts;
    facts.is_charge_known =
        database.query(sql::has_charge, event.provider, event.charge.ref, payment.id).step();
    if (facts.is_charge_known) return facts;
    facts.order = find_order(database, payment.order, std::nullopt);
    CHECK(facts.order.has_value(), "a payment refers to its order");
    return facts;
}

/// It belongs to whoever told of it, not to the provider that the payment was begun at.
void add_charge(Database& database, const Payment& payment, const PaymentEvent& event,
                const EventPlan& plan, Timestamp now) {
    const auto& charge = event.charge;
    database.run(sql::add_charge, charge.id, payment.id, payment.order, event.provider, charge.ref,
                 charge.amount_cents, charge.currency, !plan.refund, now);
    if (plan.refund) database.run(sql::owe_refund, charge.id, to_string(*plan.refund), now);
}

void pay_order(Database& database, const Order& order, Timestamp now, News& news) {
    const bool done = database.run(sql::pay_order, order.id, now) == 1 &&
                      database.run(sql::sell_held, order.sale_id, order.quantity) == 1;
    CHECK(done, "the order was pending just now, and nobody else writes");
    news.note(find_sale(database, order.sale_id).value());
    if (!news.wants(order.buyer)) return;
    Order paid = order;
    paid.state = OrderState::paid;
    paid.paid_at = now;
    news.note(BuyerNews{order.buyer, std::move(paid)});
}

std::vector<PaymentLedger::History::Money> list_money(Database& database, OrderId order) {
    std::vector<PaymentLedger::History::Money> money;
    auto rows = database.query(sql::list_money, order);
    while (rows.step()) {
        auto& each = money.emplace_back(
            PaymentLedger::History::Money{.charge = {.id = rows.column<ChargeId>(0),
                                                     .ref = rows.column<std::string>(1),
                                                     .amount_cents = rows.column<std::int64_t>(2),
                                                     .currency = rows.column<std::string>(3)},
                                          .payment = rows.column<PaymentId>(4),
                                          .provider = rows.column<std::string>(12),
                                          .captures = rows.column<bool>(5),
                                          .at = rows.column<Timestamp>(6),
                                          .refund = std::nullopt});
        if (auto reason = rows.column<std::optional<std::string>>(7))
            each.refund = {.reason = std::move(*reason),
                           .owed_at = rows.column<Timestamp>(8),
                           .attempts = rows.column<std::int64_t>(9),
                           .done_at = rows.column<std::optional<Timestamp>>(10),
                           .by_hand = rows.column<bool>(11)};
    }
    return money;
}

std::vector<PaymentLedger::History::Event> list_events(Database& database, OrderId order) {
    std::vector<PaymentLedger::History::Event> events;
    auto rows = database.query(sql::list_payment_events, order);
    while (rows.step())
        events.push_back({.id = rows.column<std::string>(0),
                          .payment = rows.column<PaymentId>(1),
                          .type = rows.column<std::string>(2),
                          .outcome = rows.column<std::string>(3),
                          .at = rows.column<Timestamp>(4)});
    return events;
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
            return sqlite::keep_bill(database, id, bill, receipt);
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
            return sqlite::note_sent_back(database, id, at_work, deed);
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
        [id, now](Database& database) { return sqlite::note_refunded(database, id, now); });
}

Task<Done> Payments::put_off_refund(ChargeId id, Timestamp until) {
    return writer_.write<Done>(
        [id, until](Database& database) { return sqlite::put_off_refund(database, id, until); });
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
    // An open payment is gone on with, so it does not count against the bound.
    const auto so_far = open ? 0 : count_payments(database, order->id);
    if (auto no = why_not_payable(*order, so_far, PaymentLedger::kMostPayments, draft.created_at))
        return std::unexpected(std::move(*no));
    if (open) return std::move(*open);
    draft.amount_cents = order->total_cents();
    draft.currency = order->currency;
    database.run(sql::add_payment, draft.id, draft.order, draft.provider, draft.amount_cents,
                 draft.currency, draft.created_at);
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
    // Money may come long after the sale was archived; it is taken like any other.
    expect_in_ledger(database, event.payment);
    auto payment = find_payment(database, sql::find_payment, event.payment);
    if (!payment) return refuse(Reason::not_found);
    if (database.query(sql::has_payment_event, event.provider, event.id, event.payment).step())
        return Taken{
            .outcome = EventOutcome::repeated, .order = payment->order, .returned = std::nullopt};
    auto facts = read_facts(database, event, *payment);
    const auto plan = plan_for(event, *payment, facts.view(), now);
    database.run(sql::add_payment_event, event.provider, event.id, event.payment,
                 to_string(event.type), to_string(plan.outcome), now);
    if (facts.order) add_charge(database, *payment, event, plan, now);
    if (plan.payment != payment->state)
        database.run(sql::change_payment, payment->id, to_string(plan.payment));
    if (event.type == PaymentEvent::Type::refund_succeeded)
        database.run(sql::note_refund_told, event.refund, event.payment, now, event.provider);
    Taken taken{.outcome = plan.outcome, .order = payment->order, .returned = std::nullopt};
    // The stock's news is the last thing a write does.
    if (plan.outcome == EventOutcome::captured) pay_order(database, *facts.order, now, news);
    // The expirer has not come to it yet.
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
    auto capture = database.query(sql::find_capture, id);
    if (!capture.step())
        throw std::logic_error("order " + id.text() + " is paid without money; run sluice audit");
    database.run(sql::owe_refund, capture.column<ChargeId>(0), to_string(RefundReason::operator_),
                 deed.at);
    database.run(sql::change_payment, capture.column<PaymentId>(1),
                 to_string(PaymentState::refunded));
    deed.before = deed_details(order->state);
    deed.after = deed_details(OrderState::refunded);
    add_deed(database, deed);
    return give_back(database, std::move(*order), OrderState::refunded, deed.at, news);
}

PaymentLedger::OwedRefunds list_owed_refunds(Database& database, const std::string& provider,
                                             Timestamp now, std::size_t limit) {
    PaymentLedger::OwedRefunds refunds;
    auto rows = database.query(sql::list_owed_refunds, provider, now, limit);
    while (rows.step())
        refunds.due.push_back({.payment = rows.column<PaymentId>(1),
                               .charge = {.id = rows.column<ChargeId>(0),
                                          .ref = rows.column<std::string>(2),
                                          .amount_cents = rows.column<std::int64_t>(3),
                                          .currency = rows.column<std::string>(4)},
                               .attempts = rows.column<std::int64_t>(5)});
    auto counts = database.query(sql::count_owed_refunds);
    while (counts.step())
        refunds.owed.emplace(counts.column<std::string>(0),
                             static_cast<std::size_t>(counts.column<std::int64_t>(1)));
    return refunds;
}

Outcome<OrderId> note_sent_back(Database& database, ChargeId id, const std::string& at_work,
                                Deed deed) {
    auto refund = database.query(sql::find_refund, id);
    if (!refund.step()) return refuse(Reason::not_found);
    const auto order = refund.column<OrderId>(0);
    const auto provider = refund.column<std::string>(1);
    if (refund.column<bool>(3)) return order;
    if (!may_send_back_by_hand(provider, at_work, refund.column<std::int64_t>(2)))
        return refuse(Reason::conflict);
    database.run(sql::note_refund_by_hand, id, deed.at);
    deed.subject = order.text();
    deed.after = deed_details(SentBack{.refund = id,
                                       .provider = provider,
                                       .charge_ref = refund.column<std::string>(4),
                                       .amount_cents = refund.column<std::int64_t>(5),
                                       .currency = refund.column<std::string>(6)});
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
    PaymentLedger::History history{.order = std::move(*order),
                                   .payments = {},
                                   .money = list_money(database, id),
                                   .events = list_events(database, id)};
    auto rows = database.query(sql::list_payments, id);
    while (rows.step()) history.payments.push_back(read_payment(rows));
    return history;
}

}  // namespace sluice::sqlite
