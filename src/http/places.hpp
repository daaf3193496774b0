#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/address.hpp"
#include "base/mutex.hpp"

namespace sluice::http {

class Connection;
class Loop;

/// What a connection does with its place, from what is missed least to what is missed most. The
/// first three cost the client nothing: it has its answer, and may connect again.
enum class Doing : unsigned char {
    lingering,    // has its last answer, and sends what nobody reads
    turned_away,  // between two requests, the last of which was refused
    idle,         // between two requests, or before the first
    sending_head,
    sending_body,
    reading,    // an answer, slowly
    working,    // for this client
    streaming,  // never asked to leave
};

/// For whom a connection counts.
struct Guest {
    std::optional<Address> from;  // nobody's, when connections of the peer are not counted
    bool blocked = false;         // all who are blocked count as one network

    /// Of its IPv4 address or IPv6 /48; 0 when it is not counted.
    std::uint64_t site() const;
};

/// The place of one connection. The connection notes what it does; others read it.
class Seat {
  public:
    using Instant = std::chrono::steady_clock::time_point;

    Seat(Loop* of, const Guest& guest)
        : loop(of), is_blocked(guest.blocked), guest_site_(guest.site()) {
        note(Doing::idle, std::chrono::steady_clock::now());
    }

    void note(Doing doing, Instant since);
    /// The connection of a proxy works for this client now.
    void note_client(const Guest& client) {
        guest_site_.store(client.site(), std::memory_order_relaxed);
    }

    /// Whether its connection has done something that others need not wait for, for so long that it
    /// can be asked to leave.
    bool may_be_closed(Instant now) const { return may_be_closed(state(), now); }

    /// It was asked to leave, and has become busy meanwhile.
    void stay() { asked_.store(false, std::memory_order_relaxed); }

    /// Whether its owner leaves after the present answer, since others have fewer places.
    bool has_to_leave() const { return has_to_leave_.load(std::memory_order_relaxed); }
    void leave_after_answer() { has_to_leave_.store(true, std::memory_order_relaxed); }

    Loop* const loop;
    const bool is_blocked;             // was so when it came
    Connection* connection = nullptr;  // touched by its loop's thread only

  private:
    friend class Places;

    using NetworkKey = std::array<unsigned char, 17>;  // address and length of the prefix

    struct State {
        Doing doing;
        Instant since;
    };
    State state() const;
    static bool may_be_closed(const State& state, Instant now);

    std::atomic<std::uint64_t> state_;  // milliseconds and Doing in one word
    std::atomic<bool> asked_{false};
    std::atomic<bool> has_to_leave_{false};
    std::atomic<std::uint64_t> guest_site_;  // as Guest::site()

    // Guarded by the mutex of the places.
    std::optional<NetworkKey> household_;
    std::optional<NetworkKey> site_;
    bool borrowed_ = false;  // counts for a request's client, not for the connection
    std::list<std::shared_ptr<Seat>>::iterator at_;
};

/// The places of one listener: so many connections in all, and so many of one network. It decides
/// who gets one and who can be asked to leave; asking is up to the server. Safe from any thread.
///
/// While somebody waits for a place, a network has its fair share: as many places as there are for
/// each network that is here or waits. Whoever has more makes room first, busy or not.
class Places {
  public:
    struct Bounds {
        std::size_t all;
        std::size_t of_network;  // of an IPv4 address or an IPv6 /64
        /// Of all who are blocked together; nothing: blocks do not count here.
        std::optional<std::size_t> of_blocked{};
    };
    /// A /48 has 65,536 of a household's /64, and one household may own them all.
    static constexpr std::size_t kHouseholdsOfSite = 2;

    explicit Places(const Bounds& bounds) : bounds_(bounds) {}

    enum class Full { all, network, blocked };

    std::expected<std::shared_ptr<Seat>, Full> take(const Guest& guest, Loop* loop);
    void leave(Seat& seat);

    /// The connection of a proxy waits for this client, and counts as this client's until
    /// give_back(). If the network of the client is full, the connection of it that can be spared
    /// most easily has to leave; if none can, the loan is not granted.
    struct Loan {
        bool granted = false;
        std::shared_ptr<Seat> to_leave{};
    };
    Loan lend(Seat& seat, const Address& client, Seat::Instant now);
    void give_back(Seat& seat);

    /// A newcomer who waits for a place, and why.
    struct Want {
        Full why;
        Guest guest;
    };
    /// In which order those who wait get places: whose network has the fewest comes first, and
    /// those who are blocked come last; else in the order in which they came.
    std::vector<std::size_t> line_up(std::span<const Want> wants) const;

    /// Who is to be asked to leave, so that those who wait get a place: no more than that, and
    /// nobody twice. For somebody with less than their fair share, first those of the networks
    /// with more, the largest first, also while they are busy: such a seat has to leave after its
    /// answer. Then whoever can be spared: first whom it costs nothing; then those of the networks
    /// with the most places; then those who have taken longest.
    std::vector<std::shared_ptr<Seat>> spare(std::span<const Want> wants, Seat::Instant now);

    std::size_t taken() const { return taken_.load(std::memory_order_relaxed); }
    const Bounds& bounds() const { return bounds_; }
    /// Nearly all are taken.
    bool crowded() const { return taken() >= bounds_.all - bounds_.all / 16; }
    std::uint64_t asked_to_close() const { return asked_.load(std::memory_order_relaxed); }

  private:
    using NetworkKey = Seat::NetworkKey;

    /// How many places each site has, and how many are its fair share.
    struct Shares {
        boost::unordered_flat_map<std::uint64_t, std::size_t> places;
        std::size_t fair = 1;

        std::size_t of(std::uint64_t site) const;
    };
    struct Candidate {
        Seat* seat;
        Seat::State state;
        std::uint64_t site;
        std::size_t neighbours;  // places of its site
        std::size_t above = 0;  // so many of them are more than its fair share, this one among them
        bool is_sparable = true;  // whatever its share is
        bool is_leaving = false;  // after its answer, as it was told: it comes free in a moment
    };

    /// The network of the guest that has as many places as it may: its household, else its site.
    std::optional<NetworkKey> full_network(const Guest& guest) const REQUIRES(mutex_);
    void count(Seat& seat, const Guest& guest) REQUIRES(mutex_);
    void uncount(Seat& seat) REQUIRES(mutex_);
    std::size_t places_of(const NetworkKey& network) const REQUIRES(mutex_);
    Shares shares(std::span<const Want> wants) const REQUIRES(mutex_);
    std::vector<Candidate> candidates(const Shares& shares, bool busy_too, Seat::Instant now) const
        REQUIRES(mutex_);
    static void rank_within_sites(std::vector<Candidate>& found, const Shares& shares);

    const Bounds bounds_;
    std::atomic<std::size_t> taken_{0};
    std::atomic<std::uint64_t> asked_{0};
    mutable Mutex mutex_;
    std::list<std::shared_ptr<Seat>> seats_ GUARDED_BY(mutex_);
    /// Only networks that have a place, so at most twice as many as places.
    std::map<NetworkKey, std::size_t> networks_ GUARDED_BY(mutex_);
};

}  // namespace sluice::http
