#include "cluster_simulation/world.hpp"

namespace sluice::cluster_simulation {
namespace {

constexpr int kMostRounds = 30;
constexpr int kQuietRounds = 3;
constexpr int kMostTries = 4;
constexpr UserId kLatecomer{99};

}  // namespace

/// Faults stop, all processes run, and work until nothing changes any more.
void World::come_to_rest() {
    heal();
    const auto drifts = count_drifts();
    if (!settle_down()) return judge_.break_promise("it never comes to rest");
    // For every way to lose something there is an alarm. Comparing is for what nobody thought of.
    if (count_drifts() != drifts)
        judge_.break_promise("at rest only comparing shows that the hot copy is wrong");
    judge_.check_rest();
    if (judge_.broken()) return;
    answer_all();
    if (judge_.broken()) return;
    sell_what_is_left();
    if (!judge_.broken()) judge_.check_rest();
}

std::uint64_t World::count_drifts() const {
    std::uint64_t drifts = 0;
    for (const auto at : keepers_) drifts += nodes_[at]->claims.hot_copies.drifts();
    return drifts;
}

void World::heal() {
    tell("faults end");
    network_.end_faults();
    server_.is_away = false;
    hot_.heal();
    for (auto& node : nodes_) {
        node->life->is_frozen = false;
        node->clock.ahead = {};
    }
    // Claims that were dated by a clock that was ahead are in the past by now.
    time_ += std::chrono::minutes{15};
    drain();
}

void World::drain() {
    while (network_.step()) {
        judge_.check_step();
        if (judge_.broken()) return;
    }
}

/// Whether nothing changes any more.
bool World::settle_down() {
    int quiet = 0;
    for (int round = 0; round < kMostRounds; ++round) {
        const auto before = std::pair(ledger_.changes(), hot_.changes());
        let_all_work();
        if (judge_.broken()) return true;
        const bool has_changed = before != std::pair(ledger_.changes(), hot_.changes());
        quiet = has_changed ? 0 : quiet + 1;
        if (quiet == kQuietRounds) return true;
    }
    return false;
}

void World::let_all_work() {
    time_ += std::chrono::minutes{1};
    using enum Node::Work;
    for (const auto at : writers_) {
        for (const auto work : {consume, write_prepared}) {
            nodes_[at]->start(work);
            drain();
        }
    }
    for (const auto at : keepers_) {
        for (const auto work : {reap, look, catch_up}) {
            nodes_[at]->pull();
            nodes_[at]->start(work);
            drain();
        }
    }
    for (const auto& places : {edges_, writers_}) {
        for (const auto at : places) {
            nodes_[at]->start(fill_suspects);
            drain();
        }
    }
    for (auto& node : nodes_) node->pull();
    hot_.replicate();
}

/// Every buyer who was told to come again gets an answer.
void World::answer_all() {
    for (std::size_t at = 0; at < wishes_.size(); ++at) {
        if (wishes_[at].is_answered) continue;
        if (!try_until_answered(at) && !judge_.broken())
            judge_.break_promise("wish " + std::to_string(at) + " never gets an answer");
        if (judge_.broken()) return;
    }
}

bool World::try_until_answered(std::size_t at) {
    for (int tries = 0; tries < kMostTries; ++tries) {
        send(at);
        drain();
        if (judge_.broken() || !settle_down()) return false;
        if (wishes_[at].is_answered) return true;
    }
    return false;
}

/// No unit is lost: each that is left can be bought.
void World::sell_what_is_left() {
    const auto before = ledger_.state().sale.stock.left;
    // Tickets whose messages the broker has lost keep their units.
    const bool all_are_free = hot_.masters().front().keys.look()->open->empty();
    if (before <= 0 || !all_are_free) return;
    Wish wish;
    wish.buyer = kLatecomer;
    wish.pass = fresh_mark();
    wishes_.push_back(wish);
    const bool is_answered = try_until_answered(wishes_.size() - 1);
    if (judge_.broken()) return;
    if (!is_answered || ledger_.state().sale.stock.left != before - 1)
        judge_.break_promise("a unit is left, and nobody can buy it");
}

}  // namespace sluice::cluster_simulation
