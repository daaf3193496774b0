#include "cluster_simulation/world.hpp"

namespace sluice::cluster_simulation {

/// What may go wrong in this run.
std::vector<World::Fault> World::list_faults() const {
    std::vector<Fault> faults{&World::reconnect_writer};
    const auto add = [&](bool is_planned, std::initializer_list<Fault> more) {
        if (is_planned) faults.insert(faults.end(), more);
    };
    add(plan_.hot_failovers,
        {&World::fail_over, &World::fail_over_and_back, &World::fail_over_and_back});
    add(plan_.hot_restarts, {&World::restart_hot_server});
    add(plan_.hot_key_losses, {&World::lose_hot_key, &World::lose_hot_key});
    add(plan_.ledger_restores, {&World::back_up, &World::restore, &World::restore});
    add(plan_.site_losses, {&World::back_up, &World::lose_site});
    add(plan_.ledger_outages, {&World::move_ledger_away});
    add(plan_.crashes, {&World::crash_some_node});
    add(plan_.freezes, {&World::freeze, &World::freeze});
    add(plan_.wrong_clocks, {&World::set_some_clock});
    add(plan_.message_losses, {&World::lose_message});
    return faults;
}

void World::go_wrong() {
    (this->*chance_.pick(faults_))();
}

/// Its messages are delivered again, while the writer is still working on them.
void World::reconnect_writer() {
    some_writer().queue.reconnect();
}

void World::fail_over() {
    if (hot_.is_split()) {
        hot_.heal();
        return tell("the split of Redis ends");
    }
    tell(hot_.fail_over(chance_.one_in(2)));
}

/// The first master is master again, and has forgotten its last writes.
void World::fail_over_and_back() {
    if (hot_.is_split()) return;
    tell(hot_.fail_over(false));
    hot_.replicate();
    tell(hot_.fail_over(false));
}

void World::restart_hot_server() {
    tell(hot_.restart(chance_.one_in(3)));
}

void World::lose_hot_key() {
    tell(hot_.lose_key());
}

void World::back_up() {
    ledger_.back_up();
    tell("the ledger is backed up");
}

void World::restore() {
    const auto before = ledger_.restore();
    judge_.note_restore(before);
    tell("the ledger is restored");
}

/// The ledger comes back from a backup, and Redis with nothing.
void World::lose_site() {
    restore();
    for (int i = 0; i < 4; ++i) tell(hot_.restart(true));
}

void World::move_ledger_away() {
    server_.is_away = !server_.is_away;
    tell(server_.is_away ? "the ledger is away" : "the ledger is back");
}

void World::crash_some_node() {
    crash(chance_.index(nodes_.size()));
}

void World::set_some_clock() {
    set_clock(*nodes_[chance_.index(nodes_.size())]);
}

void World::crash(std::size_t at) {
    tell(nodes_[at]->life->name + " crashes and starts again");
    nodes_[at]->stop();
    nodes_[at].reset();
    loop_.poll();
    nodes_[at] = start_node(at);
}

void World::freeze() {
    auto& node = *nodes_[chance_.index(nodes_.size())];
    node.life->is_frozen = !node.life->is_frozen;
    tell(node.life->name + (node.life->is_frozen ? " is frozen" : " goes on"));
}

/// The clock is right within a second, or wrong by up to five minutes. That of a keeper may be
/// wrong by a day.
void World::set_clock(Node& node) {
    std::int64_t most = 1'000;
    if (plan_.wrong_clocks && chance_.one_in(2)) most = 300'000;
    if (plan_.wrong_clocks && dynamic_cast<Keeper*>(&node) && chance_.one_in(3)) most = 86'400'000;
    node.clock.ahead = std::chrono::milliseconds{chance_.between(-most, most)};
}

void World::lose_message() {
    const auto tickets = broker_.lose_message();
    if (tickets.empty()) return;
    judge_.note_lost(tickets);
    tell("the broker loses a message");
}

}  // namespace sluice::cluster_simulation
