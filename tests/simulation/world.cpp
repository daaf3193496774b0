#include "simulation/world.hpp"

#include <array>

#include "base/outage.hpp"
#include "simulation/population.hpp"

namespace sluice::simulation {
namespace {

using std::chrono::seconds;

constexpr std::size_t kMostUnderWay = 24;
constexpr std::int64_t kAudits = 150;  // one step in so many

Task<> create(SaleEditor& editor, Sale sale) {
    const Actor actor{.id = kOperator, .address = "", .request_id = ""};
    co_await editor.create(std::move(sale), actor, std::nullopt);
}

}  // namespace

std::string Failure::text() const {
    std::string text = "seed " + std::to_string(seed) + ", step " + std::to_string(step) + ": " +
                       what + "\nthe last events:\n";
    for (const auto& event : last_events) text += "  " + event + "\n";
    return text + "see it again with: ./dev simulate --seed " + std::to_string(seed) +
           " --runs 1\n";
}

std::optional<std::uint64_t> find_planted(const PlantName& plant) {
    for (std::uint64_t seed = 1; seed <= plant.within; ++seed)
        if (World(seed, plant.plant).run()) return seed;
    return std::nullopt;
}

World::World(std::uint64_t seed, Plant plant, std::size_t events_kept)
    : seed_(seed),
      plant_(plant),
      events_kept_(events_kept),
      chance_(seed),
      clock_(plant == Plant::wall_clock_trusted),
      promises_(store_, bank_),
      pace_(Pace::draw(chance_)) {
    process_ = std::make_unique<Process>(store_, bank_, chance_, clock_, plant_, ++processes_);
    open_sales();
}

std::optional<Failure> World::run() {
    const auto steps = chance_.between(60, 300);
    observe();
    for (step_ = 1; step_ <= steps; ++step_) {
        act();
        observe();
        if (chance_.one_in(kAudits)) promises_.audit(clock_.now());
        if (promises_.broken()) return failure();
    }
    come_to_rest();
    return failure();
}

void World::open_sales() {
    const auto now = clock_.now();
    const auto count = chance_.between(1, 3);
    process_->schedule.set_calm(true);
    for (std::int64_t i = 0; i < count; ++i) {
        SaleDraft wish;
        wish.price_cents = 99;
        wish.stock = chance_.between(1, 4);
        wish.limit_per_buyer = chance_.between(1, 3);
        wish.gate_factor = chance_.between(1, 4);
        wish.unpaid_limit = 1'000;  // buyers here buy and cancel again and again
        wish.hold_seconds = chance_.pick<int>({20, 900, 900});
        wish.starts_at = now + seconds{chance_.pick<int>({-10, 0, 0, 0, 20})};
        const int length = chance_.pick<int>({0, 30, 60, 120});
        wish.ends_at = std::optional<Timestamp>();
        if (length > 0) wish.ends_at = now + seconds{20 + length};
        const auto sale = process_->line.editor.draft(ItemId{1}, wish).value();
        sales_.push_back(sale.id);
        process_->schedule.start(create(process_->line.editor, sale));
        process_->schedule.settle_down();
    }
    process_->schedule.set_calm(false);
}

void World::act() {
    struct Event {
        int weight;
        void (World::*happen)();
    };
    auto& schedule = process_->schedule;
    const bool room = schedule.size() < kMostUnderWay;
    const auto if_room = [room](int weight) { return room ? weight : 0; };
    const bool sold = !promises_.orders().empty();
    const std::array<Event, 22> events{{
        {schedule.is_empty() ? 0 : 60, nullptr},
        {if_room(16), &World::buy},
        {if_room(8), &World::ask_for_pass},
        {if_room(named_.empty() ? 0 : 6), &World::look_at_ticket},
        {if_room(2), &World::look_at_latest_ticket},
        {if_room(sold ? 1 : 0), &World::look_at_order},
        {2, &World::look_at_sale},
        {if_room(3), &World::cancel},
        {if_room(sold ? 16 : 0), &World::pay},
        {if_room(bank_.has_payments() ? 20 : 0), &World::bank_tells},
        {if_room(3), &World::expire},
        {if_room(2), &World::send_back_money},
        {if_room(6), &World::operate},
        {5, &World::move_clock},
        {2, &World::step_clock},
        {if_room(3), &World::reap},
        {if_room(2), &World::refill},
        {if_room(2), &World::look_after_copies},
        {if_room(2), &World::reload_catalog},
        {2, &World::heal_flags},
        {2, &World::flood},
        {1, &World::crash},
    }};
    std::array<int, events.size()> weights{};
    for (std::size_t i = 0; i < events.size(); ++i) weights[i] = events[i].weight;
    if (const auto happen = events[chance_.weighted(weights)].happen)
        (this->*happen)();
    else
        tell(schedule.step());
    process_->schedule.settle_down();
}

void World::come_to_rest() {
    process_->schedule.end_faults();
    drain();
    // Once for what was under way, and once for what has been left behind by that.
    for (int round = 0; round < 2 && !promises_.broken(); ++round) {
        clock_.move(ClaimReaper::kPatience + seconds{1});
        reap();
        drain();
    }
    settle_money();
    reload_catalog();
    drain();
    process_->schedule.start(process_->compare_copies());
    drain();
    for (const auto sale : sales_)
        if (process_->has_drifted(sale) && !promises_.is_tampered(sale))
            promises_.break_with("the hot copy of sale " + sale.text() +
                                 " had drifted from the ledger");
    at_rest_ = true;
    heal_flags();
    tell("at rest");
    send_again();
    if (!promises_.broken()) promises_.check_at_rest(*process_, clock_.now());
    if (!promises_.broken()) promises_.audit(clock_.now());
}

void World::drain() {
    process_->schedule.settle_down();
    observe();
    while (!process_->schedule.is_empty() && !promises_.broken()) {
        ++step_;
        tell(process_->schedule.step());
        observe();
    }
}

void World::observe() {
    if (auto complaint = clock_.complaint()) promises_.break_with(std::move(*complaint));
    promises_.note_time(clock_.now(), clock_.boot());
    promises_.check(*process_);
    watched_.look();
    witness_.look(promises_.shelf(), *process_, clock_.now());
}

/// Calls the API; `hear` gets the answer after it was judged.
void World::send(Call::Request request, Subject subject, Hear hear) {
    observe();
    auto watch = witness_.watch(std::move(subject), promises_.shelf(), *process_, clock_.now());
    if (promises_.is_tampered(watch->subject().sale, watch->subject().buyer))
        watch->note_tampered();
    auto call = std::make_shared<Call>(std::move(request));
    call->exchange.began += clock_.now().time_since_epoch();
    process_->schedule.start(carry_out(std::move(call), std::move(watch), std::move(hear)));
    process_->schedule.settle_down();
}

Task<> World::carry_out(std::shared_ptr<Call> call, std::shared_ptr<Watch> watch, Hear hear) {
    auto work = process_->door.serve(call->exchange);
    if (work) co_await std::move(*work);
    // The instant of the answer counts too.
    observe();
    const auto answer = call->answer();
    tell("user " + call->caller().text() + " hears " + answer.summary() + " from " + call->path());
    if (auto objection = watch->objection(answer)) promises_.break_with(std::move(*objection));
    if (hear) hear(answer);
}

Task<> World::bear_outage(Task<> task) {
    try {
        co_await std::move(task);
    } catch (const Outage&) {
        tell("somebody hears that the ledger is away");
    }
}

void World::tell(std::string event) {
    events_.push_back(std::to_string(step_) + " " + std::move(event));
    if (events_.size() > events_kept_) events_.pop_front();
}

std::optional<Failure> World::failure() const {
    if (!promises_.broken()) return std::nullopt;
    return Failure{seed_, step_, *promises_.broken(), {events_.begin(), events_.end()}};
}

}  // namespace sluice::simulation
