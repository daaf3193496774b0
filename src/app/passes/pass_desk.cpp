#include "app/passes/pass_desk.hpp"

#include <algorithm>
#include <limits>

namespace sluice {
namespace {

using std::chrono::seconds;

constexpr std::size_t kAtOnce = 1'000;
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

seconds wait_after(unsigned lapses) {
    const auto doubled = PassDesk::kFirstWait * (1 << std::min(lapses - 1, 10U));
    return std::min<seconds>(doubled, PassDesk::kLongestWait);
}

}  // namespace

std::expected<PassDesk::Issued, PassDesk::Full> PassDesk::issue(const Caller& buyer, SaleId sale,
                                                                std::int64_t most_places,
                                                                Timestamp now) {
    Counter& counter = counters_[counter_of(sale)];
    std::expected<Place, Full> place;
    {
        const MutexLock lock(counter.mutex);
        Gate& gate = counter.gates[sale];
        // Whoever comes here could buy, so the sale is selling.
        free_places(gate, now, kAll, true);
        place = take_place(gate, buyer.id, most_places, now);
    }
    if (!place) return std::unexpected(place.error());
    return make_pass(buyer, sale, *place);
}

/// The place that the buyer has now, with the nonce of a new pass.
std::expected<PassDesk::Place, PassDesk::Full> PassDesk::take_place(Gate& gate, UserId buyer,
                                                                    std::int64_t most_places,
                                                                    Timestamp now) {
    const auto* lapse = gate.lapses.find(buyer, now);
    const auto* mine = gate.places.find(buyer, now);
    if (!mine && lapse && lapse->wait_until > now)
        return std::unexpected(
            Full{.retry_after = std::chrono::ceil<seconds>(lapse->wait_until - now),
                 .why = lapse->latest});
    if (!mine) {
        // Free places go to those who wait, and the buyer may be among them.
        const bool has_room = std::cmp_less(gate.places.size(), most_places);
        if (has_room && gate.waiting.size() > 0) {
            gate.waiting.put(buyer, now + kGrace, now);
            draw_lots(gate, most_places, now);
            mine = gate.places.find(buyer, now);
        }
        if (!mine && !std::cmp_less(gate.places.size(), most_places))
            return std::unexpected(wait(gate, buyer, most_places, now));
    }
    gate.waiting.erase(buyer);
    const bool is_running = mine && !mine->has_bought && !mine->is_drawn;
    Place place{.until = is_running ? mine->until : now + kLifetime};
    random_.fill(place.nonce);
    gate.places.put(buyer, place, place.until);
    return place;
}

PassDesk::Full PassDesk::wait(Gate& gate, UserId buyer, std::int64_t most_places, Timestamp now) {
    const auto retry_after = spread_retry(gate.waiting.size());
    // A gate that lets nobody in has nothing to draw for.
    if (most_places > 0) gate.waiting.put(buyer, now + EntryDesk::awaited_for(retry_after), now);
    return {.retry_after = retry_after};
}

/// Gives free places to those who wait. Each is kept until the time at which its buyer was asked to
/// come.
void PassDesk::draw_lots(Gate& gate, std::int64_t most_places, Timestamp now) {
    while (std::cmp_less(gate.places.size(), most_places)) {
        const auto drawn = gate.waiting.draw(random_, now);
        if (!drawn) return;
        gate.places.put(drawn->buyer, {.until = drawn->until, .is_drawn = true}, drawn->until);
    }
}

/// Frees at most `most`; returns whether there may be more.
bool PassDesk::free_places(Gate& gate, Timestamp now, std::size_t most, bool is_selling) {
    return gate.places.forget_some(now, most, [&](UserId buyer, const Place& place) {
        if (!is_selling || place.has_bought) return;
        if (place.is_drawn)
            note_missed(gate, buyer, place.until);
        else
            note_lapse(gate, buyer, place.until);
    });
}

void PassDesk::note_lapse(Gate& gate, UserId buyer, Timestamp at) {
    lapses_.fetch_add(1, std::memory_order_relaxed);
    const auto* before = gate.lapses.find(buyer, at);
    Lapse lapse = before ? *before : Lapse{};
    ++lapse.count;
    lapse.latest = Full::Why::lapsed;
    lapse.wait_until = at + wait_after(lapse.count);
    keep_lapse(gate, buyer, lapse);
}

/// The first time nobody waits for it: a telephone that was locked is no ill will.
void PassDesk::note_missed(Gate& gate, UserId buyer, Timestamp at) {
    const auto* before = gate.lapses.find(buyer, at);
    Lapse lapse = before ? *before : Lapse{};
    ++lapse.missed;
    lapse.latest = Full::Why::missed;
    const auto wait = lapse.missed == 1 ? seconds{0} : kMissedWait;
    lapse.wait_until = std::max(lapse.wait_until, at + wait);
    keep_lapse(gate, buyer, lapse);
}

void PassDesk::keep_lapse(Gate& gate, UserId buyer, const Lapse& lapse) {
    gate.lapses.put(buyer, lapse, lapse.wait_until + kForgiven);
    if (gate.lapses.size() > kMostLapses) gate.lapses.forget_first();
}

/// Different for each buyer, so that they do not all come in the same second.
seconds PassDesk::spread_retry(std::size_t waiting) {
    const auto mean = std::clamp(seconds(waiting / kRetriesPerSecond), kShortestRetry, kLifetime);
    std::array<unsigned char, 1> byte;
    random_.fill(byte);
    return mean + mean * byte[0] / 256;
}

std::optional<PassDesk::Issued> PassDesk::renew(const Caller& buyer, SaleId sale, Timestamp now) {
    Place place;
    {
        Counter& counter = counters_[counter_of(sale)];
        const MutexLock lock(counter.mutex);
        const auto gate = counter.gates.find(sale);
        if (gate == counter.gates.end()) return std::nullopt;
        free_places(gate->second, now, kAll, true);
        const auto* mine = gate->second.places.find(buyer.id, now);
        if (!mine || mine->has_bought || mine->is_drawn) return std::nullopt;
        place = *mine;
    }
    return make_pass(buyer, sale, place);
}

void PassDesk::note_claim(UserId buyer, SaleId sale, bool may_claim_more) {
    Counter& counter = counters_[counter_of(sale)];
    const MutexLock lock(counter.mutex);
    const auto gate = counter.gates.find(sale);
    if (gate == counter.gates.end()) return;
    if (!may_claim_more)
        gate->second.places.erase(buyer);
    else if (auto* mine = gate->second.places.find(buyer, Timestamp{}))
        mine->has_bought = true;
}

void PassDesk::sweep(Timestamp now, const std::function<bool(SaleId)>& is_selling) {
    for (Counter& counter : counters_) {
        for (bool more = true; more;) {
            // Other requests get the lock between two parts.
            const MutexLock lock(counter.mutex);
            more = false;
            for (auto& [sale, gate] : counter.gates) {
                more |= free_places(gate, now, kAtOnce, is_selling(sale));
                more |= gate.lapses.forget_some(now, kAtOnce);
                gate.places.forget_beyond(now + 2 * kLifetime);
                gate.lapses.forget_beyond(now + kLongestWait + 2 * kForgiven);
                gate.waiting.purge(now);
            }
            if (!more)
                erase_if(counter.gates, [](const auto& each) { return each.second.is_empty(); });
        }
    }
}

bool PassDesk::has_places() const {
    return std::ranges::any_of(counters_, [](const Counter& counter) {
        const MutexLock lock(counter.mutex);
        return std::ranges::any_of(counter.gates,
                                   [](const auto& each) { return each.second.places.size() > 0; });
    });
}

std::size_t PassDesk::places(SaleId sale) const {
    const Counter& counter = counters_[counter_of(sale)];
    const MutexLock lock(counter.mutex);
    const auto gate = counter.gates.find(sale);
    return gate == counter.gates.end() ? 0 : gate->second.places.size();
}

std::size_t PassDesk::waiting() const {
    std::size_t count = 0;
    for (const Counter& counter : counters_) {
        const MutexLock lock(counter.mutex);
        for (const auto& [sale, gate] : counter.gates) count += gate.waiting.size();
    }
    return count;
}

PassDesk::Issued PassDesk::make_pass(const Caller& buyer, SaleId sale, const Place& place) {
    if (!has_issued()) has_issued_ = true;
    return {passes_.make(buyer.id, sale, place.until, place.nonce), place.until};
}

}  // namespace sluice
