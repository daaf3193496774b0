#include "app/streams/buyer_feed.hpp"

#include <algorithm>
#include <iterator>

#include "base/check.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

/// Clocks of nodes differ a little, so a stream that has just opened may be told of what its page
/// knows already.
constexpr auto kSlack = 2s;
constexpr auto kReview = 1s;
constexpr std::size_t kSignalsInRound = 200;

/// How far an order has come: it never goes back.
int stage_of(OrderState state) {
    switch (state) {
        case OrderState::pending:
            return 0;
        case OrderState::paid:
        case OrderState::expired:
        case OrderState::cancelled:
            return 1;
        case OrderState::refunded:
            return 2;
    }
    CHECK(false, "every state has a stage");
}

/// The latest time at which the order is known to have changed. The ledger's row has no time of a
/// cancel or a refund.
Timestamp last_change_of(const Order& order) {
    auto last = std::max(order.created_at, order.paid_at.value_or(order.created_at));
    if (order.state == OrderState::expired) last = std::max(last, order.expires_at);
    return last;
}

BuyerNews ticket_of(const Order& order) {
    TicketRecord record;
    record.id = order.ticket;
    record.state = TicketState::committed;
    record.quantity = order.quantity;
    record.order = order.id;
    return {order.buyer, record};
}

BuyerSignal signal_of(const BuyerNews& news) {
    if (const auto* order = std::get_if<Order>(&news.what)) return {news.buyer, order->id};
    return {news.buyer, std::get<TicketRecord>(news.what).id};
}

/// A ticket that became an order is told with its order.
bool is_told_with_order(const BuyerNews& news) {
    const auto* ticket = std::get_if<TicketRecord>(&news.what);
    return ticket && ticket->order;
}

}  // namespace

BuyerFeed::BuyerFeed(StreamHub& hub, OrderLedger& ledger, BuyerSignals& signals, const Clock& clock,
                     std::function<void()> wake)
    : hub_(hub),
      ledger_(ledger),
      signals_(signals),
      clock_(clock),
      wake_(std::move(wake)),
      subscription_(
          signals.listen([this](std::vector<BuyerSignal> heard) { hear(std::move(heard)); })) {}

void BuyerFeed::tell(std::span<const BuyerNews> news) {
    std::vector<BuyerSignal> signals;
    std::vector<BuyerNews> fresh;
    const MutexLock lock(mutex_);
    for (const auto& each : news) {
        if (!is_told_with_order(each)) signals.push_back(signal_of(each));
        auto* listening = find(each.buyer);
        if (!listening) continue;
        // A look at the ledger may have found the order between its commit and now.
        const auto* order = std::get_if<Order>(&each.what);
        if (order ? !is_newer(*listening, *order) : is_told_already(*listening, each)) continue;
        if (order) note(*listening, *order);
        fresh.push_back(each);
    }
    hub_.tell(fresh);
    signals_.send(std::move(signals));
}

void BuyerFeed::hear(std::vector<BuyerSignal> signals) {
    std::erase_if(signals, [&](const BuyerSignal& each) { return !hub_.may_want(each.buyer); });
    if (signals.empty()) return;
    {
        const MutexLock lock(heard_mutex_);
        for (const auto& each : signals)
            if (heard_.size() < kMostSignals) heard_.insert(each);
    }
    wake_();
}

Task<std::chrono::milliseconds> BuyerFeed::look() {
    co_await follow_signals();
    co_await heal();
    const MutexLock lock(heard_mutex_);
    co_return heard_.empty() ? kRound : 0ms;
}

Task<> BuyerFeed::follow_signals() {
    for (const auto& signal : take_signals()) co_await follow(signal);
}

std::vector<BuyerSignal> BuyerFeed::take_signals() {
    const MutexLock lock(heard_mutex_);
    auto end = heard_.begin();
    std::advance(end, static_cast<std::ptrdiff_t>(std::min(heard_.size(), kSignalsInRound)));
    std::vector<BuyerSignal> taken(heard_.begin(), end);
    heard_.erase(heard_.begin(), end);
    return taken;
}

Task<> BuyerFeed::follow(BuyerSignal signal) {
    if (const auto* id = std::get_if<OrderId>(&signal.what)) {
        const auto order = co_await ledger_.order(*id, signal.buyer);
        if (order) bring(*order, Because::signal);
        co_return;
    }
    const auto record = co_await ledger_.ticket(std::get<TicketId>(signal.what), signal.buyer);
    if (!record) co_return;
    const BuyerNews news{signal.buyer, *record};
    const MutexLock lock(mutex_);
    hub_.tell({&news, 1});
    by_signal_.fetch_add(1, std::memory_order_relaxed);
}

/// Tells of the order unless its buyer knows it in this state or in a later one.
void BuyerFeed::bring(const Order& order, Because why) {
    const MutexLock lock(mutex_);
    auto* listening = find(order.buyer);
    if (!listening || !is_newer(*listening, order)) return;
    const bool is_known = knows(*listening, order.id);
    note(*listening, order);
    const auto began = listening->since - kSlack;
    if (!is_known && why == Because::look && last_change_of(order) < began) return;
    std::vector<BuyerNews> news;
    if (!is_known && order.created_at >= began) news.push_back(ticket_of(order));
    news.push_back({order.buyer, order});
    hub_.tell(news);
    (why == Because::signal ? by_signal_ : by_look_).fetch_add(1, std::memory_order_relaxed);
}

Task<> BuyerFeed::heal() {
    const auto now = clock_.now();
    if (now < reviewed_at_ || now - reviewed_at_ >= kReview) {
        review_listeners(now);
        reviewed_at_ = now;
    }
    for (const auto buyer : pick_buyers(now)) {
        const auto orders = co_await ledger_.orders(buyer, std::nullopt, kOrders);
        for (auto order = orders.rbegin(); order != orders.rend(); ++order)
            bring(*order, Because::look);
    }
}

/// Forgets buyers who have no stream any more.
void BuyerFeed::review_listeners(Timestamp now) {
    std::unordered_map<UserId, Timestamp> present;  // when they began to listen
    for (const auto& each : hub_.present()) {
        auto& since = present.try_emplace(each.guest.buyer, now).first->second;
        since = std::min(since, each.since);
    }
    const MutexLock lock(mutex_);
    std::erase_if(listening_, [&](const auto& entry) { return !present.contains(entry.first); });
    for (const auto& [buyer, since] : present) {
        auto& listening = listening_.try_emplace(buyer, Listening{.since = since}).first->second;
        listening.since = std::min(listening.since, since);
    }
}

/// Those who have waited longest for a look, if one is due. They count as looked at.
std::vector<UserId> BuyerFeed::pick_buyers(Timestamp now) {
    std::vector<std::pair<Timestamp, UserId>> due;
    const MutexLock lock(mutex_);
    for (const auto& [buyer, listening] : listening_)
        if (now - listening.looked_at >= kHeal || now < listening.looked_at)
            due.emplace_back(listening.looked_at, buyer);
    const auto size = static_cast<std::ptrdiff_t>(std::min(due.size(), kMostLooks));
    std::ranges::partial_sort(due, due.begin() + size);
    std::vector<UserId> picked;
    for (auto each = due.begin(); each != due.begin() + size; ++each) {
        picked.push_back(each->second);
        listening_.at(each->second).looked_at = now;
    }
    return picked;
}

/// nullptr if certainly nobody listens for that buyer.
BuyerFeed::Listening* BuyerFeed::find(UserId buyer) {
    if (!hub_.may_want(buyer)) return nullptr;
    return &listening_.try_emplace(buyer, Listening{.since = clock_.now()}).first->second;
}

bool BuyerFeed::knows(const Listening& listening, OrderId order) {
    return std::ranges::binary_search(listening.orders, order, {}, &Known::id);
}

/// A ticket, together with its order.
bool BuyerFeed::is_told_already(const Listening& listening, const BuyerNews& news) {
    const auto order = std::get<TicketRecord>(news.what).order;
    return order && knows(listening, *order);
}

bool BuyerFeed::is_newer(const Listening& listening, const Order& order) {
    const auto known = std::ranges::find(listening.orders, order.id, &Known::id);
    return known == listening.orders.end() || stage_of(order.state) > stage_of(known->state);
}

void BuyerFeed::note(Listening& listening, const Order& order) {
    auto& orders = listening.orders;
    const auto at = std::ranges::lower_bound(orders, order.id, {}, &Known::id);
    if (at != orders.end() && at->id == order.id) {
        at->state = order.state;
        return;
    }
    orders.insert(at, {order.id, order.state});
    // Twice as many as are looked at, because this node's own orders are noted too.
    if (orders.size() > 2 * kOrders) orders.erase(orders.begin());
}

}  // namespace sluice
