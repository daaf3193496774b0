#include "simulation/faulty_intake.hpp"

#include <iterator>

#include "adapters/sqlite/journal.hpp"
#include "adapters/sqlite/ticket_writer.hpp"

namespace sluice::simulation {
namespace {

// One in so many:
constexpr std::int64_t kNoRoom = 25;
constexpr std::int64_t kDoubled = 12;
constexpr std::int64_t kFails = 25;
constexpr std::int64_t kLost = 12;

OrderIntake::Taken without_record(const Ticket& ticket, OrderIntake::Fate fate) {
    return {.fate = fate, .record = sqlite::prepare(ticket), .fresh = false};
}

}  // namespace

Task<OrderIntake::Taken> FaultyIntake::submit(Ticket ticket) {
    co_await schedule_.pause("submit arrives " + short_name(ticket.id));
    auto start = [this, ticket](Completion<Taken> told) { enter(ticket, std::move(told)); };
    auto taken = co_await await_completion<Taken>(std::move(start));
    co_return taken;
}

void FaultyIntake::enter(Ticket ticket, Completion<Taken> told) {
    if (schedule_.strikes(kNoRoom)) {
        tell({ticket, std::move(told)}, without_record(ticket, Fate::not_taken));
        return;
    }
    wait({ticket, std::move(told)});
}

void FaultyIntake::wait(Waiter waiter) {
    waiting_.push_back(std::move(waiter));
    if (std::exchange(batch_sent_, true)) return;
    schedule_.park("commit", [this] { commit_batch(); });
}

void FaultyIntake::commit_batch() {
    const auto count = static_cast<std::ptrdiff_t>(schedule_.draw(waiting_.size()) + 1);
    std::vector<Waiter> batch(std::make_move_iterator(waiting_.begin()),
                              std::make_move_iterator(waiting_.begin() + count));
    waiting_.erase(waiting_.begin(), waiting_.begin() + count);
    batch_sent_ = !waiting_.empty();
    if (batch_sent_) schedule_.park("commit", [this] { commit_batch(); });

    const bool fails = schedule_.strikes(kFails);
    const bool lost_before = !fails && schedule_.strikes(kLost);
    const bool lost_after = !fails && !lost_before && schedule_.strikes(kLost);
    std::vector<Taken> taken;
    if (!fails && !lost_before) taken = write(batch);
    // Doubled only once it is written: not_taken promises that nothing happens later either.
    if (!taken.empty() && schedule_.strikes(kDoubled)) wait({batch.front().ticket, {}});
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const auto& ticket = batch[i].ticket;
        if (lost_after && taken[i].fresh && taken[i].epoch != ticket.epoch)
            has_hidden_an_order_ = true;
        if (fails)
            tell(std::move(batch[i]), without_record(ticket, Fate::not_taken));
        else if (lost_before || lost_after)
            tell(std::move(batch[i]), without_record(ticket, Fate::unknown));
        else
            tell(std::move(batch[i]), std::move(taken[i]));
    }
}

std::vector<OrderIntake::Taken> FaultyIntake::write(const std::vector<Waiter>& batch) {
    return store_.write([&](sqlite::Database& database) {
        std::vector<const Ticket*> tickets;
        for (const auto& waiter : batch) tickets.push_back(&waiter.ticket);
        const auto written =
            sqlite::write_tickets(database, ids_, clock_.now(), store_.news, tickets);
        std::vector<Taken> taken;
        for (const auto& outcome : written.outcomes) taken.push_back(outcome.value());
        return taken;
    });
}

void FaultyIntake::tell(Waiter waiter, Taken taken) {
    if (!waiter.tell) return;
    schedule_.park("submit answers " + short_name(taken.record.id) +
                       (taken.fate == Fate::unknown     ? " unknown"
                        : taken.fate == Fate::not_taken ? " not taken"
                                                        : ""),
                   [told = std::move(waiter.tell), taken = std::move(taken)]() mutable {
                       told(nullptr, std::move(taken));
                   });
}

}  // namespace sluice::simulation
