#include "simulation/planted_ledgers.hpp"

namespace sluice::simulation {

using sqlite::Database;

Task<OrderLedger::Expired> PlantedOrders::expire(Timestamp now, std::size_t limit, DuePlace after) {
    auto expired = co_await orders_.expire(now, limit, after);
    if (plant_ != Plant::expiry_keeps_allowance) co_return expired;
    store_.write([&](Database& database) {
        for (auto& move : expired.moves) {
            database.run(
                "UPDATE holdings SET units = units + ?3 WHERE sale_id = ?1 AND buyer_id = ?2",
                move.sale, move.buyer, move.delta_left);
            move.delta_units = 0;
        }
        return Done{};
    });
    store_.publish();
    co_return expired;
}

Task<Outcome<PaymentLedger::Taken>> PlantedPayments::take(PaymentEvent event, Timestamp now) {
    const auto charge = event.charge.id;
    const auto payment = event.payment;
    const bool was_pending =
        plant_ == Plant::capture_without_look && state_of(payment) == OrderState::pending;
    if (was_pending) co_await schedule_.pause("the planted look");
    auto taken = co_await payments_.take(std::move(event), now);
    const bool sent_back = taken && taken->outcome == EventOutcome::refunded;
    if (sent_back && was_pending)
        store_.write([&](Database& database) {
            database.run("UPDATE orders SET state = 'paid', paid_at = ?2 WHERE id = ?1",
                         *taken->order, now);
            return Done{};
        });
    if (sent_back && plant_ == Plant::late_money_kept)
        store_.write([&](Database& database) {
            database.run_script("DROP TRIGGER IF EXISTS refunds_are_not_removed");
            database.run("DELETE FROM refunds WHERE charge_id = ?1", charge);
            return Done{};
        });
    co_return taken;
}

OrderState PlantedPayments::state_of(PaymentId payment) {
    return store_.read([&](Database& database) {
        auto row = database.query(
            "SELECT state FROM orders WHERE id = (SELECT order_id FROM payments WHERE id = ?1)",
            payment);
        if (!row.step()) return OrderState::cancelled;
        return parse_order_state(row.column<std::string>(0)).value();
    });
}

}  // namespace sluice::simulation
