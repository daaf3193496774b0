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

/// What a connection does with its place, from what can be spared most easily to what cannot. The
/// first two cost the client nothing: it has its answer, and may connect again.
enum class Doing : unsigned char {
    lingering,  // has its last answer; what it still sends is discarded
    idle,       // between two requests, or before the first
    sending_head,
    sending_body,
    reading,  // an answer, slowly
    working,  // on a request, or is a stream: never asked to leave
};

/// The place of one connection. The connection notes what it does; others read it.
class Seat {
  public:
    using Instant = std::chrono::steady_clock::time_point;

    explicit Seat(Loop* of) : loop(of) { note(Doing::idle, std::chrono::steady_clock::now()); }

    void note(Doing doing, Instant since);

    /// Whether its connection has done something that others need not wait for, for so long that it
    /// can be asked to leave.
    bool can_be_spared(Instant now) const { return can_be_spared(state(), now); }

    /// It was asked to leave, and has become busy meanwhile.
    void stay() { asked_.store(false, std::memory_order_relaxed); }

    Loop* const loop;
    Connection* connection = nullptr;  // touched by its loop's thread only

  private:
    friend class Places;

    using NetworkKey = std::array<unsigned char, 17>;  // address and length of the prefix

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
    bool borrowed_ = false;  // counts for a request's client, not for the connection
    std::list<std::shared_ptr<Seat>>::iterator at_;
};

/// The places of one listener: a limit for all connections, and one for each network. It decides
/// who gets a place and who can be asked to leave; the server asks. Safe from any thread.
class Places {
  public:
    struct Bounds {
        std::size_t all;
        std::size_t of_network;  // of an IPv4 address or an IPv6 /64
    };
    /// A /48 has 65,536 of a household's /64, and one household may own them all.
    static constexpr std::size_t kHouseholdsOfSite = 2;

    explicit Places(const Bounds& bounds) : bounds_(bounds) {}

    enum class Full { all, network };

    /// `whose` is empty for a connection that is not counted by network.
    std::expected<std::shared_ptr<Seat>, Full> take(const std::optional<Address>& whose,
                                                    Loop* loop);
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
        std::optional<Address> whose;
    };
    /// Which connections are asked to leave, so that those who wait get a place: no more than
    /// needed, and none twice. First those that lose nothing; then those of the networks with the
    /// most places; then those that have taken longest.
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
        std::size_t neighbours;  // places of the same network
    };

    /// The network of the address that has no place left: its household, else its site.
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
    /// Only networks that have a place, so at most twice as many as places.
    std::map<NetworkKey, std::size_t> networks_ GUARDED_BY(mutex_);
};

}  // namespace sluice::http
