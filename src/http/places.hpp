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

#include "base/address.hpp"
#include "base/mutex.hpp"

namespace sluice::http {

class Connection;
class Loop;

/// What a connection does with its place, from what is missed least to what is missed most. The
/// first two cost the client nothing: it has its answer, and may connect again.
enum class Doing : unsigned char {
    lingering,  // has its last answer, and sends what nobody reads
    idle,       // between two requests, or before the first
    sending_head,
    sending_body,
    reading,  // an answer, slowly
    working,  // for this client, or a stream: never asked to leave
};

/// One connection's place. Its connection says what it does; others read it.
class Seat {
  public:
    using Instant = std::chrono::steady_clock::time_point;

    explicit Seat(Loop* of) : loop(of) { note(Doing::idle, std::chrono::steady_clock::now()); }

    void note(Doing doing, Instant since);

    /// Whether its owner has done so long what others need not wait for that it can be asked to
    /// leave.
    bool can_be_spared(Instant now) const { return can_be_spared(state(), now); }

    /// It was asked, and has become busy meanwhile.
    void stay() { asked_.store(false, std::memory_order_relaxed); }

    Loop* const loop;
    Connection* connection = nullptr;  // touched by its loop's thread only

  private:
    friend class Places;

    using NetworkKey = std::array<unsigned char, 17>;  // address and prefix

    struct State {
        Doing doing;
        Instant since;
    };
    State state() const;
    static bool can_be_spared(const State& state, Instant now);

    std::atomic<std::uint64_t> state_;  // milliseconds and Doing in one word
    std::atomic<bool> asked_{false};

    // Guarded by the mutex of the places.
    std::optional<NetworkKey> household_;
    std::optional<NetworkKey> site_;
    bool borrowed_ = false;  // the networks are those of a request, not of the connection
    std::list<std::shared_ptr<Seat>>::iterator at_;
};

/// The places of one listener: so many connections in all, and so many of one network. It decides
/// who gets one and who can be asked to leave; asking is up to the server. Safe from any thread.
class Places {
  public:
    struct Bounds {
        std::size_t all;
        std::size_t of_network;  // of an IPv4 address or an IPv6 /64
    };
    /// A /48 has 65,536 of a household's /64, and one household may be given all of them.
    static constexpr std::size_t kHouseholdsOfSite = 2;

    explicit Places(const Bounds& bounds) : bounds_(bounds) {}

    enum class Full { all, network };

    /// `whose` is nobody for a connection that is not counted by network.
    std::expected<std::shared_ptr<Seat>, Full> take(const std::optional<Address>& whose,
                                                    Loop* loop);
    void leave(Seat& seat);

    /// The connection of a proxy waits for this client, and counts as theirs until give_back().
    /// When their network has as many as it may, the one of them that can be spared most is to
    /// leave for it; if none can, it is not lent.
    struct Loan {
        bool granted = false;
        std::shared_ptr<Seat> to_leave{};
    };
    Loan lend(Seat& seat, const Address& client, Seat::Instant now);
    void give_back(Seat& seat);

    /// Somebody who waits for a place, and why.
    struct Want {
        Full why;
        std::optional<Address> whose;
    };
    /// Who is to be asked to leave, so that those who wait get a place: no more than that, and
    /// nobody twice. First whom it costs nothing; then those of the networks with the most places;
    /// then those who have taken longest.
    std::vector<std::shared_ptr<Seat>> spare(std::span<const Want> wants, Seat::Instant now);

    std::size_t taken() const { return taken_.load(std::memory_order_relaxed); }
    const Bounds& bounds() const { return bounds_; }
    /// Nearly all are taken.
    bool crowded() const { return taken() >= bounds_.all - bounds_.all / 16; }
    std::uint64_t asked_to_leave() const { return asked_.load(std::memory_order_relaxed); }

  private:
    using NetworkKey = Seat::NetworkKey;

    struct Candidate {
        Seat* seat;
        Seat::State state;
        std::size_t neighbours;  // places of its network
    };

    /// The network of the address that has as many places as it may: its household, else its site.
    std::optional<NetworkKey> full_network(const Address& whose) const REQUIRES(mutex_);
    void count(Seat& seat, const Address& whose) REQUIRES(mutex_);
    void uncount(Seat& seat) REQUIRES(mutex_);
    std::size_t places_of(const std::optional<NetworkKey>& network) const REQUIRES(mutex_);
    std::vector<Candidate> candidates(Seat::Instant now) const REQUIRES(mutex_);

    const Bounds bounds_;
    std::atomic<std::size_t> taken_{0};
    std::atomic<std::uint64_t> asked_{0};
    Mutex mutex_;
    std::list<std::shared_ptr<Seat>> seats_ GUARDED_BY(mutex_);
    /// Only networks that have a place, so there are no more of them than twice the places.
    std::map<NetworkKey, std::size_t> networks_ GUARDED_BY(mutex_);
};

}  // namespace sluice::http
