#include "app/orders/give_back.hpp"

namespace sluice {

Task<Outcome<Order>> GiveBack::cancel(OrderId id, UserId buyer) {
    auto given_back = co_await ledger_.cancel(id, buyer, clock_.now());
    if (!given_back) co_return std::unexpected(given_back.error());
    auto order = co_await conclude(std::move(*given_back));
    co_return order;
}

Task<Outcome<Order>> GiveBack::refund(OrderId id, Actor actor) {
    const auto now = clock_.now();
    auto deed = make_deed(actor, DeedId{ids_.next(now)}, now, "order.refund", id.text(), "", "");
    auto given_back = co_await payments_.refund(id, std::move(deed));
    if (!given_back) co_return std::unexpected(given_back.error());
    auto order = co_await conclude(std::move(*given_back));
    co_return order;
}

Task<Outcome<OrderId>> GiveBack::note_sent_back(ChargeId refund, std::string at_work, Actor actor) {
    const auto now = clock_.now();
    // The ledger adds to the deed which order this is, and how much money.
    auto deed = make_deed(actor, DeedId{ids_.next(now)}, now, "order.sent_back", "", "", "");
    auto order = co_await payments_.note_sent_back(refund, std::move(at_work), std::move(deed));
    co_return order;
}

Task<Order> GiveBack::conclude(OrderLedger::GivenBack given_back) {
    if (given_back.fresh) co_await outbox_.catch_up(given_back.order.sale_id);
    co_return std::move(given_back.order);
}

}  // namespace sluice
