#include "http/places.hpp"

#include <algorithm>

namespace sluice::http {
namespace {

using namespace std::chrono_literals;

/// How long a connection may do each thing before others count for more. Honest clients take a
/// fraction of it.
std::chrono::milliseconds patience_with(Doing doing) {
    return doing == Doing::lingering ? 500ms : 1000ms;
}

bool costs_nothing(Doing doing) {
    return doing == Doing::lingering || doing == Doing::idle;
}

std::array<unsigned char, 17> key_of(const Network& network) {
    std::array<unsigned char, 17> key;
    std::ranges::copy(network.base.bytes, key.begin());
    key.back() = static_cast<unsigned char>(network.prefix);
    return key;
}

constexpr int kDoingBits = 8;

}  // namespace

void Seat::note(Doing doing, Instant since) {
    const auto millis =
        std::chrono::duration_cast<std::chrono::milliseconds>(since.time_since_epoch()).count();
    state_.store(
        static_cast<std::uint64_t>(millis) << kDoingBits | static_cast<std::uint64_t>(doing),
        std::memory_order_relaxed);
}

Seat::State Seat::state() const {
    const auto word = state_.load(std::memory_order_relaxed);
    // A signed shift: an instant may lie before the start of the steady clock.
    const std::chrono::milliseconds since{static_cast<std::int64_t>(word) >> kDoingBits};
    return {static_cast<Doing>(word & 0xff), Instant{since}};
}

bool Seat::can_be_spared(const State& state, Instant now) {
    return state.doing != Doing::working && now - state.since >= patience_with(state.doing);
}

std::expected<std::shared_ptr<Seat>, Places::Full> Places::take(const std::optional<Address>& whose,
                                                                Loop* loop) {
    auto seat = std::make_shared<Seat>(loop);
    const MutexLock lock(mutex_);
    if (whose && full_network(*whose)) return std::unexpected(Full::network);
    if (seats_.size() >= bounds_.all) return std::unexpected(Full::all);
    seat->at_ = seats_.insert(seats_.end(), seat);
    if (whose) count(*seat, *whose);
    taken_.store(seats_.size(), std::memory_order_relaxed);
    return seat;
}

void Places::leave(Seat& seat) {
    const MutexLock lock(mutex_);
    uncount(seat);
    seats_.erase(seat.at_);
    taken_.store(seats_.size(), std::memory_order_relaxed);
}

Places::Loan Places::lend(Seat& seat, const Address& client, Seat::Instant now) {
    const MutexLock lock(mutex_);
    if (seat.household_) return {.granted = true};  // the connection is counted already
    const auto full = full_network(client);
    Loan loan{.granted = !full};
    if (full) {
        // Without sorting: one request must not cost more than one look at every seat.
        Seat* best = nullptr;
        const auto missed = [](const Seat& one) {
            const auto state = one.state();
            return std::pair(!costs_nothing(state.doing), state.since);
        };
        for (const auto& each : seats_) {
            const bool neighbour = each->household_ == full || each->site_ == full;
            if (!neighbour || each->asked_ || !each->can_be_spared(now)) continue;
            if (!best || missed(*each) < missed(*best)) best = each.get();
        }
        if (best) {
            loan = {.granted = true, .to_leave = *best->at_};
            best->asked_ = true;
            asked_.fetch_add(1, std::memory_order_relaxed);
        }
    }
    if (!loan.granted) return loan;
    count(seat, client);
    seat.borrowed_ = true;
    return loan;
}

void Places::give_back(Seat& seat) {
    const MutexLock lock(mutex_);
    if (seat.borrowed_) uncount(seat);
    seat.borrowed_ = false;
}

std::vector<std::shared_ptr<Seat>> Places::spare(std::span<const Want> wants, Seat::Instant now) {
    std::size_t anywhere = 0;
    std::map<NetworkKey, std::size_t> inside;
    std::vector<std::shared_ptr<Seat>> leaving;
    const MutexLock lock(mutex_);
    for (const auto& want : wants) {
        const auto full = want.whose ? full_network(*want.whose) : std::nullopt;
        ++(full ? inside[*full] : anywhere);
    }
    const auto wanted_by = [&inside](const std::optional<NetworkKey>& network) {
        const auto at = network ? inside.find(*network) : inside.end();
        return at != inside.end() && at->second > 0 ? &at->second : nullptr;
    };
    for (const auto& each : candidates(now)) {
        auto* wanted = wanted_by(each.seat->household_);
        if (!wanted) wanted = wanted_by(each.seat->site_);
        if (!wanted && anywhere > 0) wanted = &anywhere;
        if (!wanted) continue;
        --*wanted;
        if (each.seat->asked_.exchange(true)) continue;  // is leaving already
        asked_.fetch_add(1, std::memory_order_relaxed);
        leaving.push_back(*each.seat->at_);
    }
    return leaving;
}

std::optional<Places::NetworkKey> Places::full_network(const Address& whose) const {
    const auto household = key_of(household_of(whose));
    if (places_of(household) >= bounds_.of_network) return household;
    if (whose.is_v4()) return std::nullopt;
    const auto site = key_of(site_of(whose));
    if (places_of(site) >= bounds_.of_network * kHouseholdsOfSite) return site;
    return std::nullopt;
}

void Places::count(Seat& seat, const Address& whose) {
    seat.household_ = key_of(household_of(whose));
    seat.site_ = key_of(site_of(whose));
    ++networks_[*seat.household_];
    if (seat.site_ != seat.household_) ++networks_[*seat.site_];
}

void Places::uncount(Seat& seat) {
    const auto drop = [this](const NetworkKey& network) REQUIRES(mutex_) {
        const auto at = networks_.find(network);
        if (--at->second == 0) networks_.erase(at);
    };
    if (!seat.household_) return;
    if (seat.site_ != seat.household_) drop(*seat.site_);
    drop(*seat.household_);
    seat.household_.reset();
    seat.site_.reset();
}

std::size_t Places::places_of(const std::optional<NetworkKey>& network) const {
    if (!network) return 0;
    const auto at = networks_.find(*network);
    return at == networks_.end() ? 0 : at->second;
}

std::vector<Places::Candidate> Places::candidates(Seat::Instant now) const {
    std::vector<Candidate> found;
    for (const auto& seat : seats_) {
        const auto state = seat->state();
        if (Seat::can_be_spared(state, now))
            found.push_back({seat.get(), state, places_of(seat->site_)});
    }
    std::ranges::sort(found, [](const Candidate& a, const Candidate& b) {
        const bool free_a = costs_nothing(a.state.doing), free_b = costs_nothing(b.state.doing);
        if (free_a != free_b) return free_a;
        if (a.neighbours != b.neighbours) return a.neighbours > b.neighbours;
        return a.state.since < b.state.since;
    });
    return found;
}

}  // namespace sluice::http
