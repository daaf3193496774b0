#include "app/give_back.hpp"

namespace sluice {

Task<Outcome<Order>> GiveBack::cancel(OrderId id, UserId buyer) {
    auto given_back = co_await ledger_.cancel(id, buyer, clock_.now());
    if (!given_back) co_return std::unexpected(given_back.error());
    auto order = co_await tell_gate(std::move(*given_back));
    co_return order;
}

Task<Outcome<Order>> GiveBack::refund(OrderId id, Actor actor) {
    const auto now = clock_.now();
    auto deed = make_deed(actor, DeedId{ids_.next(now)}, now, "order.refund", id.text(), "", "");
    auto given_back = co_await payments_.refund(id, std::move(deed));
    if (!given_back) co_return std::unexpected(given_back.error());
    auto order = co_await tell_gate(std::move(*given_back));
    co_return order;
}

Task<Order> GiveBack::tell_gate(OrderLedger::GivenBack given_back) {
    if (given_back.move) {
        const std::vector<StockGate::Move> moves{*given_back.move};
        co_await gate_.apply(moves);
    }
    co_return std::move(given_back.order);
}

Task<Outcome<Done>> GiveBack::restock(SaleId sale, std::int64_t delta, Actor actor,
                                      std::optional<Receipt> receipt) {
    const auto now = clock_.now();
    auto deed = make_deed(actor, DeedId{ids_.next(now)}, now, "sale.restock", sale.text(), "", "");
    const auto restocked =
        co_await ledger_.restock(sale, delta, std::move(deed), std::move(receipt));
    if (!restocked) co_return std::unexpected(restocked.error());
    if (restocked->again) co_return Done{};
    const std::vector<StockGate::Move> moves{{.sale = sale,
                                              .epoch = restocked->epoch,
                                              .delta_left = delta,
                                              .buyer = {},
                                              .delta_units = 0}};
    co_await gate_.apply(moves);
    co_return Done{};
}

}  // namespace sluice
