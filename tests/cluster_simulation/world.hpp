#pragma once

#include <deque>
#include <memory>

#include "cluster_simulation/judge.hpp"
#include "cluster_simulation/nodes.hpp"

namespace sluice::cluster_simulation {

/// A promise that was not kept, with what led to it.
struct Failure {
    std::uint64_t seed = 0;
    int step = 0;
    std::string what;
    std::vector<std::string> last_events;

    std::string text() const;
};

/// One run: several buyers, and a cluster of edges, writers and keepers on services that fail in
/// every way. The parts are in files by subject: buyers.cpp, faults.cpp, rest.cpp.
class World {
  public:
    /// With `events_kept` the last events are kept as text, which takes time.
    World(std::uint64_t seed, Switch left_out, std::size_t events_kept = 0);
    ~World();

    std::optional<Failure> run();

    const Judge& judge() const { return judge_; }

  private:
    /// Which faults this run has. Each run has only some, because all together hide each other.
    struct Plan {
        bool queued_edges = true;
        bool direct_edges = false;
        bool hot_failovers = false;
        bool hot_restarts = false;
        bool hot_key_losses = false;
        bool ledger_restores = false;
        bool site_losses = false;
        bool ledger_outages = false;
        bool crashes = false;
        bool freezes = false;
        bool wrong_clocks = false;
        bool message_losses = false;
        bool stock_cuts = false;
    };
    struct Wish {
        UserId buyer;
        std::int64_t quantity = 1;
        Mark pass{};
        std::optional<Mark> key;
        bool is_answered = false;  // with yes, or with a refusal that lasts
    };

    // world.cpp
    static Plan draw_plan(Chance& chance);
    static Sale draw_sale(Chance& chance);
    void act();
    void start_nodes();
    std::unique_ptr<Node> start_node(std::size_t at);
    void tell(std::string event);
    std::optional<Failure> failure() const;
    Edge& some_edge();
    Writer& some_writer();
    Keeper& some_keeper();
    template <class Role>
    Role& some(const std::vector<std::size_t>& from);
    void work();

    // buyers.cpp
    void buy();
    void send(std::size_t wish);
    void make_wish();
    void repeat_wish_otherwise();
    Task<> carry_out(Edge& edge, std::size_t wish);
    void hear(std::size_t wish, const Outcome<TicketRecord>& outcome);
    void cancel();
    Task<> cancel(Edge& edge, OrderId order, UserId buyer);
    void restock();
    Task<> restock(Keeper& keeper, std::int64_t delta);
    Mark fresh_mark();

    // faults.cpp
    using Fault = void (World::*)();
    std::vector<Fault> list_faults() const;
    void go_wrong();
    void reconnect_writer();
    void fail_over();
    void fail_over_and_back();
    void restart_hot_server();
    void lose_hot_key();
    void back_up();
    void restore();
    void lose_site();
    void move_ledger_away();
    void crash_some_node();
    void set_some_clock();
    void crash(std::size_t at);
    void freeze();
    void set_clock(Node& node);
    void lose_message();

    // rest.cpp
    void come_to_rest();
    std::uint64_t count_drifts() const;
    void heal();
    void drain();
    bool settle_down();
    void let_all_work();
    void answer_all();
    void sell_what_is_left();
    bool try_until_answered(std::size_t wish);

    const std::uint64_t seed_;
    const Switch left_out_;
    const std::size_t events_kept_;
    Chance chance_;
    const Plan plan_;
    const std::vector<Fault> faults_;
    Timestamp time_;
    LocalLoop loop_;
    Network network_;
    HotTier hot_;
    Broker broker_;
    Ledger ledger_;
    LedgerServer server_{ledger_, hot_};
    Judge judge_;
    Services services_;
    std::vector<std::unique_ptr<Node>> nodes_;
    std::vector<std::size_t> edges_, writers_, keepers_;  // places in nodes_
    std::vector<Wish> wishes_;
    std::uint64_t marks_made_ = 0;
    std::size_t attempts_ = 0;  // under way
    int step_ = 0;
    std::deque<std::string> events_;
};

/// The first seed that finds the switch, within the number of seeds.
std::optional<std::uint64_t> find_left_out(const SwitchName& name);

}  // namespace sluice::cluster_simulation
