#include "simulation/world.hpp"

/// Payments, the bank, and orders that are not paid in time.
namespace sluice::simulation {

void World::pay() {
    const auto [order, buyer] = chance_.pick(promises_.orders());
    tell("buyer " + buyer.text() + " pays order " + order.text());
    process_->schedule.start(bear_outage(begin_payment(order, buyer)));
}

Task<> World::begin_payment(OrderId order, UserId buyer) {
    auto begun = co_await process_->pay.begin(order, buyer);
    if (!begun) co_return;
    co_await process_->pay.keep(std::move(*begun), std::nullopt);
}

/// A new event, or one that was told before, whether or not it was accepted.
void World::bank_tells() {
    const bool again = bank_.size() > 0 && chance_.one_in(3);
    tell_shop(again ? bank_.some_event(chance_) : bank_.happen(chance_));
}

void World::tell_shop(std::size_t event) {
    const auto& told = bank_.event(event);
    tell("the bank tells " + told.id + ": " + std::string(to_string(told.type)) + " of payment " +
         told.payment.text());
    process_->schedule.start(bear_outage(hear(event)));
}

Task<> World::hear(std::size_t event) {
    const auto outcome = co_await process_->hear_payment.hear(bank_.event(event));
    if (!outcome) co_return promises_.break_with("the shop does not know a payment of its own");
    bank_.hear(event);
    tell(bank_.event(event).id + " was " + std::string(to_string(*outcome)));
}

void World::expire() {
    tell("the expirer goes round");
    auto round = [](HoldExpirer& expirer) -> Task<> { co_await expirer.expire_due(); };
    process_->schedule.start(bear_outage(round(process_->claims.expirer)));
}

void World::send_back_money() {
    tell("the refunder goes round");
    process_->schedule.start(bear_outage(process_->refunder.refund_due()));
}

/// A bank repeats an event until it is accepted, and money that is owed is requested until the bank
/// accepts that.
void World::settle_money() {
    for (std::size_t event = 0; event < bank_.size() && !promises_.broken(); ++event) {
        if (bank_.was_heard(event)) continue;
        tell_shop(event);
        drain();
    }
    for (int round = 0; round < 2 && !promises_.broken(); ++round) {
        clock_.move(Refunder::kLongestPause);
        expire();
        send_back_money();
        drain();
    }
}

}  // namespace sluice::simulation
