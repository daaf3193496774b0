#include "cluster_simulation/hot_tier.hpp"

#include "base/check.hpp"

namespace sluice::cluster_simulation {

HotTier::HotTier(Chance& chance, Switch left_out)
    : chance_(chance),
      left_out_(left_out),
      servers_{Server{{}, 0, true, HotKeys(left_out), HotKeys(left_out)},
               Server{{}, 0, false, HotKeys(left_out), HotKeys(left_out)}} {
    for (auto& server : servers_) server.run.server = fresh_word();
    servers_[0].run.replication = servers_[1].run.replication = fresh_word();
}

HotTier::Connection HotTier::connect() {
    std::size_t server = servers_[0].is_master ? 0 : 1;
    if (is_split()) server = chance_.index(2);
    return {server, servers_[server].generation, servers_[server].run};
}

HotKeys& HotTier::at(const Connection& connection) {
    auto& server = servers_[connection.server];
    if (server.generation != connection.generation)
        throw Outage("the connection to the simulated Redis has ended");
    return server.keys;
}

std::vector<HotTier::View> HotTier::masters() {
    std::vector<View> views;
    for (auto& server : servers_)
        if (server.is_master) views.push_back({server.keys, server.run});
    return views;
}

void HotTier::replicate() {
    if (is_split()) return;
    replica().keys = master().keys;
    replica().run.replication = master().run.replication;
}

void HotTier::save() {
    for (auto& server : servers_) server.saved = server.keys;
}

/// The replica becomes a master with a replication id of its own. The old master becomes its
/// replica, or does not know of it and goes on.
std::string HotTier::fail_over(bool splits) {
    CHECK(!is_split(), "there is a replica");
    auto& old = master();
    auto& next = replica();
    next.is_master = true;
    next.run.replication = fresh_word();
    ++next.generation;
    if (splits) return "Redis is split";
    demote(old);
    return "Redis fails over";
}

/// Its data stays until the master has synchronised it. If it is promoted before that, it comes
/// back with its old data.
void HotTier::demote(Server& server) {
    server.is_master = false;
    ++server.generation;
}

std::string HotTier::restart(bool is_empty) {
    auto& server = servers_[chance_.index(2)];
    ++server.generation;
    server.run.server = fresh_word();
    if (server.is_master) server.run.replication = fresh_word();
    if (is_empty) {
        server.keys = server.saved = HotKeys(left_out_);
        return "a Redis starts again, empty";
    }
    server.keys = server.saved;
    return "a Redis starts again with what it had saved";
}

std::string HotTier::lose_key() {
    const auto which = chance_.index(HotKeys::kKeys);
    master().keys.lose_key(which);
    return "Redis loses key " + std::to_string(which);
}

void HotTier::heal() {
    if (!is_split()) return;
    demote(servers_[chance_.index(2)]);
}

}  // namespace sluice::cluster_simulation
