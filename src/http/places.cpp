#include "http/places.hpp"

#include <algorithm>
#include <tuple>

namespace sluice::http {
namespace {

using namespace std::chrono_literals;

/// How long a connection may do each thing before others count for more. Honest clients take a
/// fraction of it.
std::chrono::milliseconds patience_with(Doing doing) {
    if (doing == Doing::turned_away) return 0ms;
    return doing == Doing::lingering ? 500ms : 1000ms;
}

/// Whoever leaves after an answer that takes longer to make leaves too late for who waits.
constexpr auto kLongWork = 500ms;

bool costs_nothing(Doing doing) {
    return doing <= Doing::idle;
}

std::array<unsigned char, 17> key_of(const Network& network) {
    std::array<unsigned char, 17> key;
    std::ranges::copy(network.base.bytes, key.begin());
    key.back() = static_cast<unsigned char>(network.prefix);
    return key;
}

/// All who are blocked. No network has such a prefix.
std::array<unsigned char, 17> key_of_blocked() {
    std::array<unsigned char, 17> key;
    key.fill(0xff);
    return key;
}

constexpr std::uint64_t kBlockedSite = ~std::uint64_t{0};
constexpr int kDoingBits = 8;

/// A place in an order: of those whom it costs nothing, then of those who have taken longest.
auto missed(Doing doing, Seat::Instant since) {
    return std::pair(!costs_nothing(doing), since);
}

}  // namespace

std::uint64_t Guest::site() const {
    if (blocked) return kBlockedSite;
    if (!from) return 0;
    const auto site = site_of(*from).base.bytes;
    // 32 or 48 bits say which, and one above them of which kind.
    const bool v4 = from->is_v4();
    std::uint64_t word = 1;
    for (std::size_t i = v4 ? 12 : 0; i < (v4 ? 16u : 6u); ++i) word = word << 8 | site[i];
    return word;
}

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

bool Seat::may_be_closed(const State& state, Instant now) {
    return state.doing < Doing::working && now - state.since >= patience_with(state.doing);
}

std::expected<std::shared_ptr<Seat>, Places::Full> Places::take(const Guest& guest, Loop* loop) {
    auto seat = std::make_shared<Seat>(loop, guest);
    const MutexLock lock(mutex_);
    if (full_network(guest)) return std::unexpected(guest.blocked ? Full::blocked : Full::network);
    if (seats_.size() >= bounds_.all) return std::unexpected(Full::all);
    seat->at_ = seats_.insert(seats_.end(), seat);
    if (guest.site() != 0) count(*seat, guest);
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
    const auto full = full_network({client});
    Loan loan{.granted = !full};
    if (full) {
        // Without sorting: one request must not cost more than one look at every seat.
        Seat* best = nullptr;
        const auto rank = [](const Seat& one) {
            const auto state = one.state();
            return missed(state.doing, state.since);
        };
        for (const auto& each : seats_) {
            const bool neighbour = each->household_ == full || each->site_ == full;
            if (!neighbour || each->asked_ || !each->may_be_closed(now)) continue;
            if (!best || rank(*each) < rank(*best)) best = each.get();
        }
        if (best) {
            loan = {.granted = true, .to_leave = *best->at_};
            best->asked_ = true;
            asked_.fetch_add(1, std::memory_order_relaxed);
        }
    }
    if (!loan.granted) return loan;
    count(seat, {client});
    seat.borrowed_ = true;
    return loan;
}

void Places::give_back(Seat& seat) {
    const MutexLock lock(mutex_);
    if (seat.borrowed_) uncount(seat);
    seat.borrowed_ = false;
}

std::vector<std::size_t> Places::line_up(std::span<const Want> wants) const {
    struct Place {
        std::size_t at, neighbours;
    };
    std::vector<Place> line;
    boost::unordered_flat_map<std::uint64_t, std::size_t> places;
    const MutexLock lock(mutex_);
    for (const auto& each : seats_) ++places[each->guest_site_.load(std::memory_order_relaxed)];
    for (std::size_t i = 0; i < wants.size(); ++i) {
        const auto site = wants[i].guest.site();
        const bool counts = site != 0 && site != kBlockedSite;
        // Those of its network who are before it have their places by then.
        line.push_back({i, counts ? places[site]++ : site});
    }
    std::ranges::stable_sort(line, {}, &Place::neighbours);
    std::vector<std::size_t> order;
    for (const auto& each : line) order.push_back(each.at);
    return order;
}

std::vector<std::shared_ptr<Seat>> Places::spare(std::span<const Want> wants, Seat::Instant now) {
    std::map<NetworkKey, std::size_t> inside;
    std::size_t entitled = 0, others = 0;
    std::vector<std::shared_ptr<Seat>> leaving;
    const MutexLock lock(mutex_);
    const auto shares = this->shares(wants);
    for (const auto& want : wants) {
        const auto site = want.guest.site();
        if (const auto full = full_network(want.guest))
            ++inside[*full];
        else
            ++(!want.guest.blocked && shares.of(site) < shares.fair ? entitled : others);
    }
    const auto wanted_by = [&inside](const std::optional<NetworkKey>& network) {
        const auto at = network ? inside.find(*network) : inside.end();
        return at != inside.end() && at->second > 0 ? &at->second : nullptr;
    };
    for (const auto& each : candidates(shares, entitled > 0, now)) {
        std::size_t* wanted = nullptr;
        if (each.is_sparable) wanted = wanted_by(each.seat->household_);
        if (each.is_sparable && !wanted) wanted = wanted_by(each.seat->site_);
        if (!wanted && entitled > 0) wanted = &entitled;
        if (!wanted && (each.is_sparable || each.is_leaving) && others > 0) wanted = &others;
        if (!wanted) continue;
        const bool is_long_busy =
            each.state.doing == Doing::working && now - each.state.since >= kLongWork;
        if (!is_long_busy) --*wanted;
        if (!each.is_sparable) each.seat->leave_after_answer();
        const bool was_asked = each.seat->asked_.exchange(true);
        if (!was_asked) asked_.fetch_add(1, std::memory_order_relaxed);
        // Once more, if it was to leave after its answer and takes that slowly.
        if (!was_asked || (each.is_leaving && each.is_sparable)) leaving.push_back(*each.seat->at_);
    }
    return leaving;
}

std::optional<Places::NetworkKey> Places::full_network(const Guest& guest) const {
    if (guest.blocked) {
        const auto blocked = key_of_blocked();
        const bool full = places_of(blocked) >= bounds_.of_blocked.value_or(bounds_.all);
        return full ? std::optional(blocked) : std::nullopt;
    }
    if (!guest.from) return std::nullopt;
    const auto household = key_of(household_of(*guest.from));
    if (places_of(household) >= bounds_.of_network) return household;
    if (guest.from->is_v4()) return std::nullopt;
    const auto site = key_of(site_of(*guest.from));
    if (places_of(site) >= bounds_.of_network * kHouseholdsOfSite) return site;
    return std::nullopt;
}

void Places::count(Seat& seat, const Guest& guest) {
    seat.household_ = guest.blocked ? key_of_blocked() : key_of(household_of(*guest.from));
    seat.site_ = guest.blocked ? seat.household_ : key_of(site_of(*guest.from));
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

std::size_t Places::places_of(const NetworkKey& network) const {
    const auto at = networks_.find(network);
    return at == networks_.end() ? 0 : at->second;
}

std::size_t Places::Shares::of(std::uint64_t site) const {
    const auto at = places.find(site);
    return at == places.end() ? 0 : at->second;
}

/// Whoever waits has a share too; a proxy, of whom we do not know yet for whom it comes, has one.
/// Places of nobody in particular are not there to be shared.
Places::Shares Places::shares(std::span<const Want> wants) const {
    Shares shares;
    std::size_t counted = 0;
    for (const auto& each : seats_) {
        const auto site = each->guest_site_.load(std::memory_order_relaxed);
        if (site == 0) continue;
        ++shares.places[site];
        ++counted;
    }
    for (const auto& want : wants) shares.places.try_emplace(want.guest.site(), 0);
    if (!shares.places.empty())
        shares.fair = std::max<std::size_t>(1, counted / shares.places.size());
    return shares;
}

std::vector<Places::Candidate> Places::candidates(const Shares& shares, bool busy_too,
                                                  Seat::Instant now) const {
    std::vector<Candidate> found;
    for (const auto& seat : seats_) {
        const auto state = seat->state();
        const bool is_sparable = Seat::may_be_closed(state, now);
        const bool is_leaving = seat->has_to_leave();
        if (state.doing == Doing::streaming) continue;
        if (!is_sparable && !is_leaving && !busy_too) continue;
        const auto site = seat->guest_site_.load(std::memory_order_relaxed);
        found.push_back({.seat = seat.get(),
                         .state = state,
                         .site = site,
                         .neighbours = shares.of(site),
                         .is_sparable = is_sparable,
                         .is_leaving = is_leaving});
    }
    rank_within_sites(found, shares);
    std::erase_if(found, [](const Candidate& each) {
        return !each.is_sparable && !each.is_leaving && each.above == 0;
    });
    std::ranges::sort(found, [](const Candidate& a, const Candidate& b) {
        if (a.is_leaving != b.is_leaving) return a.is_leaving;
        if (a.above != b.above) return a.above > b.above;
        const bool free_a = costs_nothing(a.state.doing), free_b = costs_nothing(b.state.doing);
        if (free_a != free_b) return free_a;
        if (a.neighbours != b.neighbours) return a.neighbours > b.neighbours;
        return a.state.since < b.state.since;
    });
    return found;
}

/// Those of one site leave one after the other, down to its fair share; of those who are blocked
/// none has a right to stay.
void Places::rank_within_sites(std::vector<Candidate>& found, const Shares& shares) {
    std::ranges::sort(found, {}, [](const Candidate& each) {
        return std::tuple(each.site, !each.is_leaving, missed(each.state.doing, each.state.since));
    });
    std::size_t rank = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        auto& each = found[i];
        rank = i > 0 && found[i - 1].site == each.site ? rank + 1 : 0;
        const auto fair = each.site == kBlockedSite ? 0 : shares.fair;
        if (each.site != 0 && each.neighbours > fair + rank)
            each.above = each.neighbours - fair - rank;
    }
}

}  // namespace sluice::http
