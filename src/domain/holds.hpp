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
        std::optional<Network> network{};  // of their latest log-in with a session
    };
    struct Source {
        Network network;
        std::int64_t buyers = 0;  // with a lapse or a pending order in the sale
        std::int64_t lapses = 0;
        Held pending{};
    };
    std::vector<Age> ages;         // the youngest first, without empty ages
    std::vector<Buyer> buyers;     // with lapses, the most first, at most kMostHoldRows
    std::vector<Source> networks;  // likewise
};
inline constexpr std::size_t kMostHoldRows = 50;

/// Only this many of the newest expired orders of a sale are counted, and as many cancelled ones.
/// This limits the cost for a long sale.
inline constexpr std::size_t kMostLapsesCounted = 20'000;

/// Counts the orders of a sale, given in any order, for HoldsOfSale.
class HoldsTally {
  public:
    explicit HoldsTally(Timestamp now) : now_(now) {}

    /// Ignores an order that is due by now: it is not pending any more, even if the ledger says so
    /// for a moment.
    void add_pending(UserId buyer, std::int64_t units, Timestamp created_at, Timestamp expires_at);
    void add_lapse(UserId buyer) { ++people_[buyer].lapses; }

    /// The buyers who have been added so far: finish() needs their networks.
    std::vector<UserId> buyers() const;
    void set_network(UserId buyer, const Network& household);

    /// Phones, names and paid orders of the buyers have still to be filled in.
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
