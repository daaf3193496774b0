#include "simulation/planted_ledgers.hpp"

#include <algorithm>
#include <iterator>

#include "adapters/sql/rows.hpp"
#include "simulation/bank.hpp"

namespace sluice::simulation {

namespace {

using sqlite::Database;
using DecideSale = CatalogLedger::DecideSale;

/// The change with the time and the id that the deed had when it was requested.
DecideSale dated(DecideSale decide, Timestamp asked_at, DeedId asked_as) {
    return [=](const Sale& before) {
        auto decided = decide(before);
        if (!decided || !*decided) return decided;
        auto& [after, deed] = **decided;
        deed.at = asked_at;
        deed.id = asked_as;
        if (after.ended_at != before.ended_at) after.ended_at = asked_at;
        if (after.resumed_at != before.resumed_at) after.resumed_at = asked_at;
        return decided;
    };
}

/// The change with the number of units that was shown when it was requested, unless it asks for
/// another one.
DecideSale with_stock(DecideSale decide, std::int64_t shown_total) {
    return [=](const Sale& before) {
        auto decided = decide(before);
        if (!decided || !*decided) return decided;
        auto& stock = (*decided)->after.stock;
        const auto undone = shown_total - before.stock.total;
        if (stock.total != before.stock.total || stock.left + undone < 0) return decided;
        stock.total += undone;
        stock.left += undone;
        return decided;
    };
}

}  // namespace

Task<Outcome<CatalogLedger::SaleChanged>> PlantedCatalog::change_sale(
    SaleId id, DecideSale decide, std::optional<Receipt> receipt) {
    const auto now = clock_.now();
    if (plant_ == Plant::deed_dated_by_request)
        decide = dated(std::move(decide), now, DeedId{ids_.next(now)});
    if (plant_ == Plant::edit_writes_stock)
        decide = with_stock(std::move(decide), shown_.sale(id)->stock->now().total);
    return sales_.change_sale(id, std::move(decide), std::move(receipt));
}

Task<OrderLedger::Expired> PlantedOrders::expire(Timestamp now, std::size_t limit, DuePlace after) {
    auto expired = co_await orders_.expire(now, limit, after);
    if (plant_ != Plant::expiry_keeps_allowance) co_return expired;
    store_.write([&](Database& database) {
        database.run(
            "UPDATE holdings SET units = units - delta_units FROM hot_outbox "
            "WHERE hot_outbox.sale_id = holdings.sale_id AND at = ?1 AND delta_units < 0 "
            "AND hot_outbox.buyer_id = holdings.buyer_id",
            now);
        database.run("UPDATE hot_outbox SET delta_units = 0 WHERE at = ?1 AND delta_units < 0",
                     now);
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

Task<PaymentLedger::OwedRefunds> PlantedPayments::owed_refunds(std::string provider, Timestamp now,
                                                               std::size_t limit) {
    auto owed = co_await payments_.owed_refunds(std::move(provider), now, limit);
    if (plant_ != Plant::others_money_sent_back) co_return owed;
    auto others = co_await payments_.owed_refunds(std::string(Bank::kElsewhere), now, limit);
    std::ranges::move(others.due, std::back_inserter(owed.due));
    co_return owed;
}

OrderState PlantedPayments::state_of(PaymentId payment) {
    return store_.read([&](Database& database) {
        const auto state = database.row<OrderState>(
            "SELECT state FROM orders WHERE id = (SELECT order_id FROM payments WHERE id = ?1)",
            payment);
        return state.value_or(OrderState::cancelled);
    });
}

}  // namespace sluice::simulation
