#include "cluster_simulation/names.hpp"
#include "cluster_simulation/world.hpp"

namespace sluice::cluster_simulation {
namespace {

constexpr std::size_t kMostWishes = 10;
constexpr std::size_t kMostAttempts = 8;
constexpr std::int64_t kReplyLost = 10;  // one in so many
constexpr std::int64_t kBuyers = 4;

bool is_lasting(Reason reason) {
    return reason != Reason::busy && reason != Reason::unavailable;
}

}  // namespace

/// Sends a new wish, or one that was sent before, even while that is under way, to any edge.
void World::buy() {
    if (attempts_ >= kMostAttempts) return;
    if (wishes_.empty() || (wishes_.size() < kMostWishes && chance_.one_in(3))) make_wish();
    send(chance_.one_in(2) ? wishes_.size() - 1 : chance_.index(wishes_.size()));
}

void World::make_wish() {
    Wish wish;
    wish.buyer = UserId{chance_.between(1, kBuyers)};
    wish.quantity =
        chance_.between(1, std::min<std::int64_t>(2, ledger_.state().sale.limit_per_buyer));
    wish.pass = fresh_mark();
    if (chance_.one_in(2)) wish.key = fresh_mark();
    wishes_.push_back(wish);
}

/// The same key comes with another pass, or the same pass without the key.
void World::repeat_wish_otherwise() {
    if (wishes_.empty() || wishes_.size() >= kMostWishes || attempts_ >= kMostAttempts) return;
    auto wish = chance_.pick(wishes_);
    if (!wish.key) return;
    if (chance_.one_in(2))
        wish.pass = fresh_mark();
    else
        wish.key.reset();
    wish.is_answered = false;
    wishes_.push_back(wish);
    send(wishes_.size() - 1);
}

Mark World::fresh_mark() {
    Mark mark{};
    mark[0] = static_cast<unsigned char>(++marks_made_);
    return mark;
}

void World::send(std::size_t wish) {
    auto& edge = some_edge();
    if (edge.life->is_frozen) return;
    if (events_kept_ > 0)
        tell("buyer " + wishes_[wish].buyer.text() + " sends wish " + std::to_string(wish) +
             " to " + edge.life->name);
    edge.start(carry_out(edge, wish));
}

/// What the turnstile decides about a request, and the purchase. The answer may get lost.
Task<> World::carry_out(Edge& edge, std::size_t at) {
    const Wish wish = wishes_[at];
    const auto& sale = edge.view;
    Purchase::Attempt attempt;
    attempt.ticket = {
        .id = marks().ticket(sale.id, sale.epoch, wish.buyer, wish.quantity, wish.pass, wish.key),
        .buyer = wish.buyer,
        .quantity = wish.quantity,
        .epoch = sale.epoch,
        .pass = wish.pass,
        .key = wish.key,
        .claimed_at = edge.clock.now()};
    attempt.limit = sale.limit_per_buyer;
    attempt.maybe_replay = chance_.one_in(2);
    Outcome<TicketRecord> outcome = refuse(Reason::unavailable);
    try {
        outcome = co_await edge.purchase.carry_out(std::move(attempt));
    } catch (const Outage&) {  // 503
    }
    if (network_.strikes(kReplyLost)) co_return;
    network_.park(nullptr, [this, at, outcome] { hear(at, outcome); });
}

void World::hear(std::size_t at, const Outcome<TicketRecord>& outcome) {
    if (events_kept_ > 0) {
        auto event = "wish " + std::to_string(at) + " hears ";
        if (!outcome)
            event += "no, reason " + std::to_string(static_cast<int>(outcome.error().reason));
        else
            event += (outcome->order ? "201 " : "202 ") + short_name(outcome->id);
        tell(std::move(event));
    }
    auto& wish = wishes_[at];
    if (outcome) judge_.hear(*outcome);
    if (outcome || is_lasting(outcome.error().reason)) wish.is_answered = true;
}

void World::cancel() {
    const auto& orders = ledger_.state().orders;
    auto& edge = some_edge();
    if (orders.empty() || edge.life->is_frozen) return;
    const auto at =
        std::next(orders.begin(), static_cast<std::ptrdiff_t>(chance_.index(orders.size())));
    edge.start(cancel(edge, at->first, at->second.buyer));
}

Task<> World::cancel(Edge& edge, OrderId order, UserId buyer) {
    const auto given_back = co_await edge.ledger.cancel(order, buyer, edge.clock.now());
    if (given_back) co_await edge.claims.outbox.catch_up(HotClient::kSale);
}

void World::restock() {
    auto& keeper = some_keeper();
    if (keeper.life->is_frozen) return;
    const bool is_cut = plan_.stock_cuts && chance_.one_in(2);
    keeper.start(restock(keeper, is_cut ? -1 : chance_.between(1, 2)));
}

Task<> World::restock(Keeper& keeper, std::int64_t delta) {
    co_await keeper.ledger.restock(delta);
    co_await keeper.claims.outbox.catch_up(HotClient::kSale);
}

}  // namespace sluice::cluster_simulation
