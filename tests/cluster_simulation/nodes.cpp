#include "cluster_simulation/nodes.hpp"

#include "support/pass_keys.hpp"
#include "support/seeded_random.hpp"

namespace sluice::cluster_simulation {
namespace {

Log& quiet_log() {
    static Log log{Log::Level::error, Log::Format::text};
    return log;
}

const Passes& passes() {
    static const PassKeyRing keys{{testing_support::pass_key(1)}};
    static const Passes passes{keys};
    return passes;
}

Random& random_bytes() {
    static testing_support::SeededRandom random{1};
    return random;
}

}  // namespace

const TicketMarks& marks() {
    static const TicketMarks marks{TicketMarks::Key{2}};
    return marks;
}

Node::Node(Services& services, std::string name)
    : services_(services),
      life(std::make_shared<Life>(std::move(name))),
      clock(services.time),
      gate(services.hot, services.network, life, services.left_out),
      ledger(services.ledger, services.network, life, clock, services.left_out),
      claims({.gate = gate,
              .orders = ledger,
              .visit_sales = [this](const auto& each) { each(shown(), shown().hot_seq); },
              .clock = clock,
              .log = quiet_log()}) {
    pull();
}

/// The sale as it is shown to those who fill hot copies.
Sale Node::shown() const {
    auto sale = view;
    if (services_.left_out == Switch::other_epoch_is_left)
        if (const auto epoch = services_.hot.masters().front().keys.epoch()) sale.epoch = epoch;
    return sale;
}

/// What a node does that is no keeper.
Task<> Node::round(Work work) {
    if (work == Work::fill_suspects) co_await claims.hot_copies.fill_suspects();
}

void Node::stop() {
    life->is_alive = false;
    const auto pending = std::exchange(life->pending, {});
    for (const auto& call : pending) call->abandon();
    // A coroutine whose completion was dropped is destroyed by its loop.
    services_.loop.poll();
}

void Node::start(Work work) {
    auto& is_working = is_working_[static_cast<std::size_t>(work)];
    if (is_working) return;
    is_working = true;
    start_task(services_.loop, round(work), [&is_working](const std::exception_ptr& failure) {
        is_working = false;
        try {
            if (failure) std::rethrow_exception(failure);
        } catch (const Outage&) {  // the next round
        }
    });
    services_.loop.poll();
}

void Node::start(Task<> task) {
    start_task(services_.loop, std::move(task), [](const std::exception_ptr& failure) {
        try {
            if (failure) std::rethrow_exception(failure);
        } catch (const Outage&) {  // not done, or the outcome is unknown
        }
    });
    services_.loop.poll();
}

Edge::Edge(Services& services, std::string name, bool is_queued)
    : Node(services, std::move(name)),
      queue_(services.broker, services.network, life),
      direct_(ledger),
      queued_(queue_, gate, ledger, {.batch = 2, .backlog = 64, .messages = 2}),
      intake_(is_queued ? static_cast<OrderIntake&>(queued_) : direct_, gate, services.left_out),
      desk_(passes(), random_bytes(), clock),
      purchase(claims.make_purchase(intake_, marks(), desk_)) {}

Writer::Writer(Services& services, std::string name)
    : Node(services, std::move(name)),
      queue(services.broker, services.network, life),
      prepared(ledger, clock),
      of_queue(queue, ledger, claims.settler, [](const Ticket&, std::string_view) {}),
      of_journal(prepared, ledger, claims.settler, [](const Ticket&, std::string_view) {}) {}

Task<> Writer::round(Work work) {
    if (work == Work::consume) co_await of_queue.consume();
    if (work == Work::write_prepared) co_await of_journal.consume();
    co_await Node::round(work);
}

Task<> Keeper::round(Work work) {
    if (work == Work::reap) co_await claims.reaper.reap_once();
    if (work == Work::look) co_await claims.hot_copies.look_after_copies();
    if (work == Work::catch_up) co_await claims.outbox.catch_up(HotClient::kSale);
    if (work == Work::expire) co_await claims.expirer.expire_due();
}

}  // namespace sluice::cluster_simulation
