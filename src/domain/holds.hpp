#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/address.hpp"
#include "base/timestamp.hpp"
#include "domain/ids.hpp"

namespace sluice {

/// Pending orders and their units.
struct Held {
    std::int64_t orders = 0;
    std::int64_t units = 0;

    Held& operator+=(const Held& more) {
        orders += more.orders;
        units += more.units;
        return *this;
    }
    friend bool operator==(const Held&, const Held&) = default;
};

/// Who holds unpaid units of a sale, and who has let such holds lapse. With it operators look for
/// those who do not play fair. A lapse is an order that expired or was cancelled unpaid.
struct HoldsOfSale {
    struct Age {
        std::int64_t minutes = 0;  // whole minutes since the orders were made
        Held held;

        friend bool operator==(const Age&, const Age&) = default;
    };
    struct Buyer {
        UserId id;
        std::string phone{};  // empty, like the name, if the user does not exist any more
        std::string name{};
        std::int64_t lapses = 0;
        Held pending{};
        std::int64_t paid = 0;             // orders
        std::optional<Network> network{};  // of their latest order, as far as it is known
    };
    struct Source {
        Network network;
        std::int64_t buyers = 0;  // with a lapse or a pending order that was bought from there
        std::int64_t lapses = 0;
        Held pending{};
    };
    std::vector<Age> ages;         // the youngest first, without those that nobody is in
    std::vector<Buyer> buyers;     // by lapses, then by units held; at most kMostHoldRows
    std::vector<Source> networks;  // likewise
};
inline constexpr std::size_t kMostHoldRows = 50;

/// Only this many of the newest expired orders of a sale are counted, and as many cancelled ones.
/// This limits the cost for a long sale.
inline constexpr std::size_t kMostLapsesCounted = 20'000;

/// How long the network of an order is kept: after its purchase, and after the end of its sale,
/// whichever is over first.
inline constexpr std::chrono::days kNetworkKept{7};
inline constexpr std::chrono::days kNetworkKeptAfterSale{1};

/// Counts the orders of a sale, in any order, for HoldsOfSale.
class HoldsTally {
  public:
    explicit HoldsTally(Timestamp now) : now_(now) {}

    /// An order, and from where it was bought if that is known.
    struct Bought {
        UserId buyer;
        OrderId order;
        std::optional<Network> network{};  // a household
    };
    /// Nothing of an order that is due by now: it is not pending any more, though the ledger may
    /// say so for a moment.
    void add_pending(const Bought& bought, std::int64_t units, Timestamp created_at,
                     Timestamp expires_at);
    void add_lapse(const Bought& bought);

    /// Those of whom an order was added without its network.
    std::vector<UserId> strays() const;
    /// Where those orders are counted.
    void set_network(UserId buyer, const Network& household);

    /// Phones, names and paid orders of the buyers have still to be filled in.
    HoldsOfSale finish() const;

  private:
    struct Count {
        std::int64_t lapses = 0;
        Held pending{};

        bool is_empty() const { return lapses == 0 && pending.orders == 0; }
        Count& operator+=(const Count& more) {
            lapses += more.lapses;
            pending += more.pending;
            return *this;
        }
    };
    struct Part {
        Network network;
        Count count;
    };
    struct Person {
        std::vector<Part> parts;  // one for each network that is known
        Count stray;              // orders whose network is not known
        OrderId latest{};         // of those whose network is known
        std::optional<Network> network{};
    };

    static Count& part_of(Person& person, const Network& network);
    void add(const Bought& bought, const Count& count);
    std::vector<HoldsOfSale::Buyer> list_buyers() const;
    std::vector<HoldsOfSale::Source> list_networks() const;

    const Timestamp now_;
    std::map<std::int64_t, Held> ages_;  // by whole minutes
    std::unordered_map<UserId, Person> people_;
};

}  // namespace sluice
