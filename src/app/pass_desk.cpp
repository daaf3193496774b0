#include "app/pass_desk.hpp"

#include <algorithm>

namespace sluice {
namespace {

constexpr std::size_t kBite = 1'000;

}  // namespace

std::expected<PassDesk::Issued, PassDesk::Full> PassDesk::issue(const Caller& buyer, SaleId sale,
                                                                std::int64_t most_places,
                                                                Timestamp now) {
    Place place{.until = now + kLifetime};
    random_.fill(place.nonce);
    {
        Counter& counter = counters_[counter_of(sale)];
        const MutexLock lock(counter.mutex);
        auto& places = counter.places[sale];
        const auto* mine = places.find(buyer.id, now);
        if (!mine && static_cast<std::int64_t>(places.size()) >= most_places) {
            const auto next = places.next_expiry().value_or(now);
            const auto wait = std::chrono::ceil<std::chrono::seconds>(next - now);
            return std::unexpected(Full{std::clamp(wait, std::chrono::seconds{1}, kLifetime)});
        }
        if (mine) place.until = std::max(mine->until, place.until);
        places.put(buyer.id, place, place.until);
    }
    return make_pass(buyer, sale, place);
}

std::optional<PassDesk::Issued> PassDesk::renew(const Caller& buyer, SaleId sale, Timestamp now) {
    Place place;
    {
        Counter& counter = counters_[counter_of(sale)];
        const MutexLock lock(counter.mutex);
        const auto places = counter.places.find(sale);
        if (places == counter.places.end()) return std::nullopt;
        const auto* mine = places->second.find(buyer.id, now);
        if (!mine || mine->has_bought) return std::nullopt;
        place = *mine;
    }
    return make_pass(buyer, sale, place);
}

void PassDesk::note_claim(UserId buyer, SaleId sale, bool may_claim_more) {
    Counter& counter = counters_[counter_of(sale)];
    const MutexLock lock(counter.mutex);
    const auto places = counter.places.find(sale);
    if (places == counter.places.end()) return;
    if (!may_claim_more)
        places->second.erase(buyer);
    else if (auto* mine = places->second.find(buyer, Timestamp{}))
        mine->has_bought = true;
}

void PassDesk::sweep(Timestamp now) {
    for (Counter& counter : counters_) {
        for (bool more = true; more;) {
            // Between two bites a buyer gets their turn.
            const MutexLock lock(counter.mutex);
            more = false;
            for (auto& [sale, places] : counter.places) {
                more |= places.forget_some(now, kBite);
                places.forget_beyond(now + 2 * kLifetime);
            }
            if (!more)
                erase_if(counter.places, [](const auto& each) { return each.second.size() == 0; });
        }
    }
}

bool PassDesk::has_places() const {
    return std::ranges::any_of(counters_, [](const Counter& counter) {
        const MutexLock lock(counter.mutex);
        return std::ranges::any_of(counter.places,
                                   [](const auto& each) { return each.second.size() > 0; });
    });
}

std::size_t PassDesk::places(SaleId sale) const {
    const Counter& counter = counters_[counter_of(sale)];
    const MutexLock lock(counter.mutex);
    const auto places = counter.places.find(sale);
    return places == counter.places.end() ? 0 : places->second.size();
}

PassDesk::Issued PassDesk::make_pass(const Caller& buyer, SaleId sale, const Place& place) {
    if (!has_issued()) has_issued_ = true;
    return {passes_.make(buyer.id, sale, place.until, place.nonce), place.until};
}

}  // namespace sluice
