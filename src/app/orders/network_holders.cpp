#include "app/orders/network_holders.hpp"

#include <algorithm>

#include "ports/entry_desk.hpp"

namespace sluice {
namespace {

/// How many of a buyer's newest orders are read: more than one buyer can make while a hold lasts.
constexpr std::size_t kOrders = 20;

/// An order is written shortly after its pass was used.
constexpr std::chrono::seconds kWriting{10};

}  // namespace

bool NetworkHolders::has_room(const Place& place) {
    if (place.client.most == 0) return true;
    const auto now = clock_.now();
    const auto bounds = bounds_of(place);
    const MutexLock lock(mutex_);
    for (const auto& bound : bounds)
        if (!has_room(bound, place.buyer, now)) return false;
    return true;
}

NetworkHolders::Taken NetworkHolders::take(const Place& place, const Sale& sale) {
    if (place.client.most == 0) return Taken::before;
    const auto now = clock_.now();
    const auto pass_until = now + EntryDesk::kLifetime + kWriting;
    const Holder holder{.buyer = place.buyer,
                        .since = now,
                        .pass_until = pass_until,
                        .until = pass_until + std::chrono::seconds(sale.hold_seconds)};
    const auto bounds = bounds_of(place);
    const MutexLock lock(mutex_);
    for (const auto& bound : bounds)
        if (!has_room(bound, place.buyer, now)) return Taken::full;
    if (networks_.size() >= forget_at_) forget_empty(now);
    auto taken = Taken::before;
    for (const auto& bound : bounds) {
        if (networks_.size() >= kMostNetworks && !networks_.contains(bound.key)) continue;
        auto& holders = networks_[bound.key].holders;
        const auto at = std::ranges::find(holders, place.buyer, &Holder::buyer);
        if (at != holders.end()) {
            at->pass_until = holder.pass_until;
            at->until = holder.until;
        } else {
            holders.push_back(holder);
            taken = Taken::now;
        }
    }
    return taken;
}

void NetworkHolders::leave(const Place& place) {
    const auto bounds = bounds_of(place);
    const MutexLock lock(mutex_);
    for (const auto& bound : bounds)
        if (const auto at = networks_.find(bound.key); at != networks_.end())
            std::erase_if(at->second.holders,
                          [&](const Holder& each) { return each.buyer == place.buyer; });
}

Task<bool> NetworkHolders::make_room(Place place) {
    const auto suspects = choose_holders_to_check(place, clock_.now());
    for (const auto& holder : suspects) {
        const bool done = co_await is_done(holder, place.sale);
        if (!done) continue;
        Place theirs = place;
        theirs.buyer = holder.buyer;
        leave(theirs);
    }
    co_return has_room(place);
}

std::vector<NetworkHolders::Bound> NetworkHolders::bounds_of(const Place& place) {
    const auto& [address, most] = place.client;
    const auto household = household_of(address);
    std::vector<Bound> bounds{{{place.sale, household.base, household.prefix}, most}};
    if (address.is_v4()) return bounds;
    const auto site = site_of(address);
    bounds.push_back(
        {{place.sale, site.base, site.prefix}, std::size_t{most} * kHouseholdsPerSite});
    return bounds;
}

bool NetworkHolders::has_room(const Bound& bound, UserId buyer, Timestamp now) {
    const auto at = networks_.find(bound.key);
    if (at == networks_.end()) return true;
    auto& holders = at->second.holders;
    if (holders.size() < bound.most) return true;
    std::erase_if(holders, [&](const Holder& each) { return each.until <= now; });
    return holders.size() < bound.most ||
           std::ranges::find(holders, buyer, &Holder::buyer) != holders.end();
}

void NetworkHolders::forget_empty(Timestamp now) {
    boost::unordered::erase_if(networks_, [&](auto& each) {
        auto& holders = each.second.holders;
        std::erase_if(holders, [&](const Holder& holder) { return holder.until <= now; });
        return holders.empty();
    });
    forget_at_ = std::max<std::size_t>(1'024, networks_.size() * 2);
}

/// Some people of a full network, in turns; none if it was asked about a moment ago.
std::vector<NetworkHolders::Holder> NetworkHolders::choose_holders_to_check(const Place& place,
                                                                            Timestamp now) {
    std::vector<Holder> chosen;
    const auto bounds = bounds_of(place);
    const MutexLock lock(mutex_);
    for (const auto& bound : bounds) {
        if (has_room(bound, place.buyer, now)) continue;
        auto& crowd = networks_[bound.key];
        if (now - crowd.asked_at < kAskedAgain && now >= crowd.asked_at) continue;
        crowd.asked_at = now;
        const auto count = std::min(kAskedAbout, crowd.holders.size());
        for (std::size_t i = 0; i < count; ++i)
            chosen.push_back(crowd.holders[(crowd.next + i) % crowd.holders.size()]);
        crowd.next = (crowd.next + count) % crowd.holders.size();
    }
    return chosen;
}

Task<bool> NetworkHolders::is_done(Holder holder, SaleId sale) {
    const auto orders = co_await ledger_.orders(holder.buyer, std::nullopt, kOrders);
    const auto now = clock_.now();
    bool has_bought = false;
    for (const auto& order : orders) {
        if (order.sale_id != sale) continue;
        if (is_pending_at(order, now)) co_return false;
        if (order.created_at >= holder.since) has_bought = true;
    }
    co_return has_bought || holder.pass_until <= now;
}

}  // namespace sluice
