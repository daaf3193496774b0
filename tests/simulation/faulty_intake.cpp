#include "simulation/faulty_intake.hpp"

#include <algorithm>
#include <iterator>

#include "adapters/sql/ledgers/journal.hpp"
#include "adapters/sql/ledgers/ticket_writer.hpp"
#include "ports/taken.hpp"

namespace sluice::simulation {
namespace {

// One in so many:
constexpr std::int64_t kNoRoom = 25;
constexpr std::int64_t kIntakeDoubled = 12;
constexpr std::int64_t kFails = 25;
constexpr std::int64_t kIntakeLost = 12;

}  // namespace

std::optional<OrderIntake::Slot> FaultyIntake::reserve() {
    if (schedule_.strikes(kNoRoom)) return std::nullopt;
    ++under_way_;
    return Slot(under_way_);
}

Task<OrderIntake::Taken> FaultyIntake::submit(Slot slot, Ticket ticket) {
    co_await schedule_.pause("submit arrives " + short_name(ticket.id));
    auto start = [this, ticket](Completion<Taken> told) { wait({ticket, std::move(told)}); };
    auto taken = co_await await_completion<Taken>(std::move(start));
    const auto given_back = std::move(slot);
    co_return taken;
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
    if (schedule_.strikes(kIntakeLost)) {
        store_.leave_in_doubt(
            [this, tickets = tickets_of(batch), now = clock_.now()](sqlite::Database& database) {
                return write(database, tickets, now);
            });
        return tell_all(std::move(batch), Fate::unknown);
    }
    const bool answer_lost = schedule_.strikes(kIntakeLost);
    auto written = store_.write([&](sqlite::Database& database) {
        return write(database, tickets_of(batch), clock_.now());
    });
    if (fails_together_) spread_failure(written);
    // Doubled only after it was written: not_taken promises that nothing happens later either.
    if (schedule_.strikes(kIntakeDoubled)) wait({batch.front().ticket, {}});
    schedule_.park("commit is news", [this, batch = std::move(batch), written = std::move(written),
                                      answer_lost]() mutable {
        store_.publish();
        if (answer_lost) return tell_all(std::move(batch), Fate::unknown);
        for (std::size_t i = 0; i < batch.size(); ++i)
            tell(std::move(batch[i]), std::move(written[i]));
    });
}

std::vector<FaultyIntake::Written> FaultyIntake::write(sqlite::Database& database,
                                                       const std::vector<Ticket>& tickets,
                                                       Timestamp now) {
    std::vector<const Ticket*> batch;
    for (const auto& ticket : tickets) batch.push_back(&ticket);
    return ledgers::write_tickets(database, ids_, now, store_.news, batch).outcomes;
}

void FaultyIntake::spread_failure(std::vector<Written>& written) const {
    const auto failed = std::ranges::find_if(written, [](const auto& each) { return !each; });
    if (failed == written.end()) return;
    const auto failure = failed->error();
    for (auto& each : written) each = std::unexpected(failure);
}

std::vector<Ticket> FaultyIntake::tickets_of(const std::vector<Waiter>& batch) {
    std::vector<Ticket> tickets;
    for (const auto& waiter : batch) tickets.push_back(waiter.ticket);
    return tickets;
}

void FaultyIntake::tell_all(std::vector<Waiter> batch, Fate fate) {
    for (auto& waiter : batch) {
        auto taken = without_row(waiter.ticket, fate);
        tell(std::move(waiter), std::move(taken));
    }
}

void FaultyIntake::tell(Waiter waiter, Written written) {
    if (!waiter.tell) return;
    const auto outcome = !written                           ? " a failure"
                         : written->fate == Fate::unknown   ? " unknown"
                         : written->fate == Fate::not_taken ? " not taken"
                                                            : "";
    schedule_.park("submit answers " + short_name(waiter.ticket.id) + outcome,
                   [told = std::move(waiter.tell), written = std::move(written)]() mutable {
                       if (written)
                           told(nullptr, std::move(*written));
                       else
                           told(written.error(), Taken{});
                   });
}

}  // namespace sluice::simulation
