#include "cluster_simulation/world.hpp"

#include <array>

namespace sluice::cluster_simulation {
namespace {

constexpr std::size_t kMostUnderWay = 30;

}  // namespace

std::string Failure::text() const {
    std::string text = "seed " + std::to_string(seed) + ", step " + std::to_string(step) + ": " +
                       what + "\nthe last events:\n";
    for (const auto& event : last_events) text += "  " + event + "\n";
    return text + "see it again with: ./dev simulate-cluster --seed " + std::to_string(seed) +
           " --runs 1\n";
}

std::optional<std::uint64_t> find_left_out(const SwitchName& name) {
    for (std::uint64_t seed = 1; seed <= name.within; ++seed)
        if (World(seed, name.which).run()) return seed;
    return std::nullopt;
}

World::Plan World::draw_plan(Chance& chance) {
    const auto way = chance.between(0, 5);
    return {.queued_edges = way != 0,
            .direct_edges = way <= 1,
            .hot_failovers = chance.one_in(3),
            .hot_restarts = chance.one_in(4),
            .hot_key_losses = chance.one_in(5),
            .ledger_restores = chance.one_in(4),
            .site_losses = chance.one_in(6),
            .ledger_outages = chance.one_in(3),
            .crashes = chance.one_in(2),
            .freezes = chance.one_in(2),
            .wrong_clocks = chance.one_in(2),
            .message_losses = chance.one_in(15),
            .stock_cuts = chance.one_in(3)};
}

Sale World::draw_sale(Chance& chance) {
    Sale sale;
    sale.id = HotClient::kSale;
    sale.item_id = ItemId{1};
    sale.price_cents = 99;
    sale.currency = "CNY";
    sale.starts_at = from_millis(0);
    sale.stock.total = sale.stock.left = chance.between(1, 5);
    sale.limit_per_buyer = chance.between(1, 3);
    sale.hold_seconds = chance.pick<int>({60, 900});
    return sale;
}

World::World(std::uint64_t seed, Switch left_out, std::size_t events_kept)
    : seed_(seed),
      left_out_(left_out),
      events_kept_(events_kept),
      chance_(seed),
      plan_(draw_plan(chance_)),
      faults_(list_faults()),
      time_(from_millis(1'794'513'600'000)),
      network_(loop_, chance_),
      hot_(chance_, left_out),
      broker_(chance_),
      ledger_(draw_sale(chance_), left_out),
      judge_(ledger_, hot_),
      services_{.hot = hot_,
                .broker = broker_,
                .ledger = server_,
                .network = network_,
                .loop = loop_,
                .time = time_,
                .left_out = left_out} {
    if (events_kept_ > 0) network_.listen([this](std::string event) { tell(std::move(event)); });
    start_nodes();
}

World::~World() {
    for (auto& node : nodes_) node->stop();
    nodes_.clear();
    loop_.poll();
}

std::optional<Failure> World::run() {
    const auto steps = chance_.between(150, 500);
    for (step_ = 1; step_ <= steps; ++step_) {
        act();
        judge_.check_step();
        if (judge_.broken()) return failure();
    }
    come_to_rest();
    return failure();
}

void World::start_nodes() {
    const auto start = [this](std::vector<std::size_t>& places, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) {
            places.push_back(nodes_.size());
            nodes_.push_back(nullptr);
        }
    };
    start(edges_, chance_.between(2, 3));
    start(writers_, chance_.between(1, 2));
    start(keepers_, chance_.between(2, 3));
    for (std::size_t at = 0; at < nodes_.size(); ++at) nodes_[at] = start_node(at);
}

std::unique_ptr<Node> World::start_node(std::size_t at) {
    std::unique_ptr<Node> node;
    if (at < edges_.size()) {
        const bool is_queued = plan_.queued_edges && (!plan_.direct_edges || at % 2 == 0);
        node = std::make_unique<Edge>(services_, "edge " + std::to_string(at), is_queued);
    } else if (at < edges_.size() + writers_.size()) {
        node = std::make_unique<Writer>(services_, "writer " + std::to_string(at));
    } else {
        node = std::make_unique<Keeper>(services_, "keeper " + std::to_string(at));
    }
    set_clock(*node);
    return node;
}

void World::act() {
    // Mostly work that is under way goes on; the more there is, the more often.
    const auto under_way = static_cast<std::int64_t>(std::min(network_.size(), kMostUnderWay));
    if (chance_.between(0, 11) < under_way && network_.step()) return;
    enum { buys, works, repeats, cancels, restocks, pulls, waits, replicates, saves, goes_wrong };
    static constexpr std::array kWeights{18, 40, 6, 2, 2, 12, 8, 8, 3, 9};
    switch (chance_.weighted(kWeights)) {
        case buys:
            return buy();
        case works:
            return work();
        case repeats:
            return repeat_wish_otherwise();
        case cancels:
            return cancel();
        case restocks:
            return restock();
        case pulls:
            return nodes_[chance_.index(nodes_.size())]->pull();
        case waits:
            time_ += std::chrono::milliseconds{chance_.between(1, 9'000)};
            return;
        case replicates:
            return hot_.replicate();
        case saves:
            return hot_.save();
        default:
            return go_wrong();
    }
}

/// Some worker does a round.
void World::work() {
    if (chance_.one_in(3)) {
        auto& writer = some_writer();
        if (writer.life->is_frozen) return;
        return writer.start(chance_.one_in(3) ? Node::Work::write_prepared : Node::Work::consume);
    }
    using enum Node::Work;
    if (chance_.one_in(6)) {
        auto& node = *nodes_[chance_.index(edges_.size() + writers_.size())];
        if (!node.life->is_frozen) node.start(fill_suspects);
        return;
    }
    auto& keeper = some_keeper();
    if (keeper.life->is_frozen) return;
    // As a node does once a second.
    if (!chance_.one_in(4)) keeper.pull();
    keeper.start(chance_.pick<Node::Work>({reap, reap, look, look, catch_up, expire}));
}

template <class Role>
Role& World::some(const std::vector<std::size_t>& from) {
    return static_cast<Role&>(*nodes_[chance_.pick(from)]);
}

Edge& World::some_edge() {
    return some<Edge>(edges_);
}

Writer& World::some_writer() {
    return some<Writer>(writers_);
}

Keeper& World::some_keeper() {
    return some<Keeper>(keepers_);
}

void World::tell(std::string event) {
    if (events_kept_ == 0) return;
    events_.push_back(std::move(event));
    if (events_.size() > events_kept_) events_.pop_front();
}

std::optional<Failure> World::failure() const {
    if (!judge_.broken()) return std::nullopt;
    return Failure{seed_, step_, *judge_.broken(), {events_.begin(), events_.end()}};
}

}  // namespace sluice::cluster_simulation
