#include "adapters/sql/ledgers/deliveries.hpp"

#include <utility>

#include "adapters/sql/ledgers/archive.hpp"
#include "adapters/sql/ledgers/orders.hpp"
#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/order_rows.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "domain/deed_details.hpp"

namespace sluice::ledgers {
namespace {

Outcome<OrderDelivery> change_in(Database& database, OrderId id, const OrderDeliveryWish& wish,
                                 Deed deed) {
    const auto order = find_in_both(database, Sought{.from = id}, [&](Database& one) {
        return find_order(one, id, std::nullopt);
    });
    if (!order) return refuse(Reason::not_found);
    const auto before = find_delivery(database, id);
    auto after = change_delivery(before, wish, order->state, deed.at);
    if (!after || *after == before) return after;
    database.run(sql::put_order_delivery, id, order->sale_id, after->state, after->carrier,
                 after->number, deed.at);
    deed.before = deed_details(before);
    deed.after = deed_details(*after);
    add_deed(database, deed);
    return after;
}

}  // namespace

Task<std::map<OrderId, OrderDelivery>> Deliveries::find(std::vector<OrderId> orders) {
    return readers_.read<std::map<OrderId, OrderDelivery>>(
        [orders = std::move(orders)](Database& database) {
            std::map<OrderId, OrderDelivery> found;
            for (const auto id : orders)
                if (auto delivery = find_delivery(database, id);
                    delivery.state != OrderDeliveryState::none)
                    found.emplace(id, std::move(delivery));
            return found;
        });
}

Task<Outcome<OrderDelivery>> Deliveries::change(OrderId order, OrderDeliveryWish wish, Deed deed) {
    return writer_.write<Outcome<OrderDelivery>>(
        [order, wish = std::move(wish), deed = std::move(deed)](Database& database) {
            return change_in(database, order, wish, deed);
        });
}

OrderDelivery find_delivery(Database& ledger, OrderId order) {
    return ledger.row<OrderDeliveryRow>(sql::find_order_delivery, order)
        .transform(to_order_delivery)
        .value_or(OrderDelivery{});
}

}  // namespace sluice::ledgers
