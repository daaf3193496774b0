#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include "base/address.hpp"
#include "base/mutex.hpp"
#include "domain/sale.hpp"
#include "ports/clock.hpp"
#include "ports/order_ledger.hpp"

namespace sluice {

/// A client, and how many people of its network may have unpaid holds in one sale.
struct BoundedClient {
    Address address;
    unsigned most = 0;  // for an IPv6 /48 four times as many
};

/// Counts, for each network, who may hold unpaid units of a sale: everybody who got a pass, until
/// the pass has lapsed unused, or until what it bought is paid, expired or cancelled. Asks the
/// ledger only when a network is full, and then about a few of its people. In memory: a restart
/// forgets the holders until they ask for another pass. Safe from any thread; its memory is
/// bounded.
class NetworkHolders {
  public:
    static constexpr unsigned kHouseholdsPerSite = 4;
    /// How many people of a full network are asked about at once, and how often.
    static constexpr std::size_t kAskedAbout = 32;
    static constexpr std::chrono::seconds kAskedAgain{1};
    static constexpr std::size_t kMostNetworks = 200'000;  // beyond this nobody new is counted

    NetworkHolders(OrderLedger& ledger, const Clock& clock) : ledger_(ledger), clock_(clock) {}

    struct Place {
        SaleId sale;
        BoundedClient client;
        UserId buyer;
    };
    /// True also for a buyer who is counted already.
    bool has_room(const Place& place);

    enum class Taken { full, before, now };
    /// Counts the buyer until the pass that is given now, and the hold that it may buy, have ended.
    Taken take(const Place& place, const Sale& sale);

    /// The buyer got no pass.
    void leave(const Place& place);

    /// Whether there is room after those are removed who hold nothing any more. May throw Outage.
    Task<bool> make_room(Place place);

  private:
    struct Holder {
        UserId buyer;
        Timestamp since, pass_until, until;
    };
    struct Key {
        SaleId sale;
        Address base;
        int prefix = 128;

        friend bool operator==(const Key&, const Key&) = default;
        friend std::size_t hash_value(const Key& key) {
            std::size_t seed = std::hash<SaleId>{}(key.sale);
            boost::hash_range(seed, key.base.bytes.begin(), key.base.bytes.end());
            boost::hash_combine(seed, key.prefix);
            return seed;
        }
    };
    struct Crowd {
        std::vector<Holder> holders;
        Timestamp asked_at{};
        std::size_t next = 0;  // who is asked about next
    };
    struct Bound {
        Key key;
        std::size_t most;
    };

    static std::vector<Bound> bounds_of(const Place& place);
    bool has_room(const Bound& bound, UserId buyer, Timestamp now) REQUIRES(mutex_);
    void forget_empty(Timestamp now) REQUIRES(mutex_);
    std::vector<Holder> choose_holders_to_check(const Place& place, Timestamp now) EXCLUDES(mutex_);
    Task<bool> is_done(Holder holder, SaleId sale);

    OrderLedger& ledger_;
    const Clock& clock_;
    Mutex mutex_;
    boost::unordered_flat_map<Key, Crowd> networks_ GUARDED_BY(mutex_);
    std::size_t forget_at_ GUARDED_BY(mutex_) = 1'024;  // when there are so many crowds
};

}  // namespace sluice
