#include "app/orders/delivery_desk.hpp"

namespace sluice {

Task<Outcome<OrderDelivery>> DeliveryDesk::change(OrderId order, OrderDeliveryWish wish,
                                                  Actor actor) {
    const auto now = clock_.now();
    auto deed =
        make_deed(actor, DeedId{ids_.next(now)}, now, "order.delivery", order.text(), "", "");
    auto changed = co_await ledger_.change(order, std::move(wish), std::move(deed));
    co_return changed;
}

}  // namespace sluice
