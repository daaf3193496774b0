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
        tell({ticket, std::move(told)}, without_record(ticket, Fate::not_taken), nullptr);
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

    if (schedule_.strikes(kFails)) return tell_all(std::move(batch), Fate::not_taken);
    if (schedule_.strikes(kLost)) {
        store_.leave_in_doubt([this, tickets = tickets_of(batch), now = clock_.now()](
                                  sqlite::Database& database) { return write(database, tickets, now); });
        return tell_all(std::move(batch), Fate::unknown);
    }
    const bool answer_lost = schedule_.strikes(kLost);
    std::vector<Taken> taken;
    try {
        taken = store_.write([&](sqlite::Database& database) {
            return write(database, tickets_of(batch), clock_.now());
        });
    } catch (const std::exception&) {
        return tell_all(std::move(batch), Fate::not_taken, std::current_exception());
    }
    // Doubled only once it is written: not_taken promises that nothing happens later either.
    if (schedule_.strikes(kDoubled)) wait({batch.front().ticket, {}});
    schedule_.park("commit is news", [this, batch = std::move(batch), taken = std::move(taken),
                                      answer_lost]() mutable {
        store_.publish();
        if (answer_lost) return tell_all(std::move(batch), Fate::unknown);
        for (std::size_t i = 0; i < batch.size(); ++i)
            tell(std::move(batch[i]), std::move(taken[i]), nullptr);
    });
}

std::vector<OrderIntake::Taken> FaultyIntake::write(sqlite::Database& database,
                                                    const std::vector<Ticket>& tickets,
                                                    Timestamp now) {
    sqlite::TicketWriter writer(database, ids_, now, store_.news);
    std::vector<Taken> taken;
    for (const auto& ticket : tickets) taken.push_back(writer.write(ticket));
    writer.finish();
    return taken;
}

std::vector<Ticket> FaultyIntake::tickets_of(const std::vector<Waiter>& batch) {
    std::vector<Ticket> tickets;
    for (const auto& waiter : batch) tickets.push_back(waiter.ticket);
    return tickets;
}

void FaultyIntake::tell_all(std::vector<Waiter> batch, Fate fate, std::exception_ptr bug) {
    for (auto& waiter : batch) {
        auto taken = without_record(waiter.ticket, fate);
        tell(std::move(waiter), std::move(taken), bug);
    }
}

void FaultyIntake::tell(Waiter waiter, Taken taken, std::exception_ptr bug) {
    if (!waiter.tell) return;
    schedule_.park("submit answers " + short_name(taken.record.id) +
                       (taken.fate == Fate::unknown     ? " unknown"
                        : taken.fate == Fate::not_taken ? " not taken"
                                                        : ""),
                   [told = std::move(waiter.tell), taken = std::move(taken), bug]() mutable {
                       told(bug, std::move(taken));
                   });
}

}  // namespace sluice::simulation
