#pragma once

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

/// Who holds units of a sale without having paid, and who has let such holds lapse, as operators
/// look for those who do not play fair. A lapse is an order that expired or was cancelled unpaid.
struct HoldsOfSale {
    struct Age {
        std::int64_t minutes = 0;  // whole minutes since the orders were made
        Held held;

        friend bool operator==(const Age&, const Age&) = default;
    };
    struct Buyer {
        UserId id;
        std::string phone{};  // empty, as the name, if there is no such user any more
        std::string name{};
        std::int64_t lapses = 0;
        Held pending{};
        std::int64_t paid = 0;             // orders
        std::optional<Network> network{};  // of their latest log-in that still has its session
    };
    struct Source {
        Network network;
        std::int64_t buyers = 0;  // with a lapse or a pending order in the sale
        std::int64_t lapses = 0;
        Held pending{};
    };
    std::vector<Age> ages;         // the youngest first, without those that nobody is in
    std::vector<Buyer> buyers;     // by lapses, then by units held; at most kMostHoldRows
    std::vector<Source> networks;  // likewise
};
inline constexpr std::size_t kMostHoldRows = 50;

/// So many of the newest expired orders of a sale are counted, and as many cancelled ones. This
/// bounds what a look at a long sale costs.
inline constexpr std::size_t kMostLapsesCounted = 20'000;

/// Counts the orders of a sale, in any order, for HoldsOfSale.
class HoldsTally {
  public:
    explicit HoldsTally(Timestamp now) : now_(now) {}

    /// Nothing of an order that is due by now: it is not pending any more, though the ledger may
    /// say so for a moment.
    void add_pending(UserId buyer, std::int64_t units, Timestamp created_at, Timestamp expires_at);
    void add_lapse(UserId buyer) { ++people_[buyer].lapses; }

    /// Those who have been added so far: whose networks finish() has to know.
    std::vector<UserId> buyers() const;
    void set_network(UserId buyer, const Network& household);

    /// Phones, names and paid orders of its buyers are still to be filled in.
    HoldsOfSale finish() const;

  private:
    struct Person {
        std::int64_t lapses = 0;
        Held pending;
        std::optional<Network> network;
    };

    std::vector<HoldsOfSale::Buyer> list_buyers() const;
    std::vector<HoldsOfSale::Source> list_networks() const;

    const Timestamp now_;
    std::map<std::int64_t, Held> ages_;  // by whole minutes
    std::unordered_map<UserId, Person> people_;
};

}  // namespace sluice
