#include "app/orders/holds_desk.hpp"

namespace sluice {

Task<HoldsDesk::Shown> HoldsDesk::show(SaleId sale) {
    Shown shown;
    shown.at = clock_.now();
    shown.holds = co_await list_.holds(sale, shown.at);
    std::vector<BlockSubject> buyers, networks;
    for (const auto& buyer : shown.holds.buyers) buyers.emplace_back(buyer.id);
    for (const auto& source : shown.holds.networks) networks.emplace_back(source.network);
    shown.buyers_blocked = blocks_.are_blocked(buyers);
    shown.networks_blocked = blocks_.are_blocked(networks);
    co_return shown;
}

Task<Outcome<HoldsDesk::GivenBack>> HoldsDesk::give_back(Wish wish, Actor actor, Address from) {
    // The block comes first: otherwise the blocked buyer could hold again what was just given back.
    if (wish.block) {
        BlockBook::Wish block{.reason = wish.reason, .until = std::nullopt};
        const auto blocked = co_await blocks_.put(wish.of, std::move(block), actor, from);
        if (!blocked) co_return std::unexpected(blocked.error());
    }
    GivenBack total;
    OrderId after{};
    for (int rounds = 0; rounds < kMostRounds; ++rounds) {
        const auto given = co_await give_back_some(wish, actor, after);
        total.held += given.held;
        total.more = given.more;
        after = given.last;
        if (!given.more) break;
    }
    total.blocked = blocks_.are_blocked({wish.of}).front();
    co_return total;
}

Task<OrderLedger::HoldsGivenBack> HoldsDesk::give_back_some(Wish wish, Actor actor, OrderId after) {
    const auto now = clock_.now();
    OrderLedger::HoldsWanted wanted{
        .sale = wish.sale, .of = wish.of, .now = now, .limit = kAtOnce, .after = after};
    // The ledger adds to the deed how much was given back.
    auto deed =
        make_deed(actor, DeedId{ids_.next(now)}, now, "holds.give_back", wish.sale.text(), "", "");
    auto given = co_await ledger_.give_back_holds(std::move(wanted), std::move(deed));
    // After each part: if the next part fails, the units of this one are for sale all the same.
    if (given.held.orders > 0) co_await outbox_.catch_up(wish.sale);
    co_return given;
}

}  // namespace sluice
