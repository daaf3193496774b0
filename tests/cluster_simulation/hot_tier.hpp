#pragma once

#include <array>

#include "cluster_simulation/hot_keys.hpp"
#include "cluster_simulation/network.hpp"

namespace sluice::cluster_simulation {

/// Two Redis servers: a master, and a replica that is always slightly behind. All of their data may
/// be lost. A role change or a restart ends all connections to the server.
class HotTier {
  public:
    struct Connection {
        std::size_t server = 0;
        std::uint64_t generation = 0;
        RunId run;
    };

    HotTier(Chance& chance, Switch left_out);

    /// A connection to a server that calls itself master. In a split there are two.
    Connection connect();
    /// The keys that a request finds. Throws Outage when its connection has ended.
    HotKeys& at(const Connection& connection);

    /// For checks: each server that calls itself master, with its run id.
    struct View {
        HotKeys& keys;
        RunId run;
    };
    std::vector<View> masters();
    std::uint64_t changes() const {
        return servers_[0].keys.changes() + servers_[1].keys.changes();
    }

    // Faults. Each returns a description of what it did.

    void replicate();
    void save();
    std::string fail_over(bool splits);
    std::string restart(bool is_empty);
    std::string lose_key();
    /// Ends a split, if there is one: one of the two masters becomes the replica, and loses its
    /// data.
    void heal();
    bool is_split() const { return servers_[0].is_master && servers_[1].is_master; }

  private:
    struct Server {
        RunId run;
        std::uint64_t generation = 0;  // of its connections
        bool is_master = false;
        HotKeys keys;
        HotKeys saved;
    };

    Server& master() { return servers_[servers_[0].is_master ? 0 : 1]; }
    Server& replica() { return servers_[servers_[0].is_master ? 1 : 0]; }
    void demote(Server& server);
    std::uint64_t fresh_word() { return ++words_; }

    Chance& chance_;
    const Switch left_out_;
    std::uint64_t words_ = 0;
    std::array<Server, 2> servers_;
};

}  // namespace sluice::cluster_simulation
