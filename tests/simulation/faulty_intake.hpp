#pragma once

#include <exception>
#include <expected>
#include <vector>

#include "base/id_source.hpp"
#include "ports/clock.hpp"
#include "ports/order_intake.hpp"
#include "simulation/schedule.hpp"
#include "simulation/store.hpp"

namespace sluice::simulation {

/// Writes all waiting tickets in one transaction, like the group intake, with the same ticket
/// writer. Sometimes there is no room, or the store fails; a commit may leave open whether it
/// happened; a ticket may be written twice, and everybody gets their answer late.
class FaultyIntake final : public OrderIntake {
  public:
    /// With `fails_together` a ticket that fails takes its batch with it: a planted bug.
    FaultyIntake(Store& store, Schedule& schedule, const Clock& clock, IdSource& ids,
                 bool fails_together)
        : store_(store),
          schedule_(schedule),
          clock_(clock),
          ids_(ids),
          fails_together_(fails_together) {}

    std::optional<Slot> reserve() override;
    Task<Taken> submit(Slot slot, Ticket ticket) override;
    std::size_t backlog() const override { return waiting_.size(); }

    /// The waiting coroutine is destroyed, as by a crash.
    void drop_all() { waiting_.clear(); }

  private:
    struct Waiter {
        Ticket ticket;
        Completion<Taken> tell;  // empty for a double
    };

    void wait(Waiter waiter);
    void commit_batch();
    /// A ticket that failed alone is an exception.
    using Written = std::expected<Taken, std::exception_ptr>;
    std::vector<Written> write(sqlite::Database& database, const std::vector<Ticket>& tickets,
                               Timestamp now);
    void spread_failure(std::vector<Written>& written) const;
    static std::vector<Ticket> tickets_of(const std::vector<Waiter>& batch);
    void tell_all(std::vector<Waiter> batch, Fate fate);
    void tell(Waiter waiter, Written written);

    Store& store_;
    Schedule& schedule_;
    const Clock& clock_;
    IdSource& ids_;
    const bool fails_together_;
    std::vector<Waiter> waiting_;
    std::atomic<std::size_t> under_way_ = 0;
    bool batch_sent_ = false;
};

}  // namespace sluice::simulation
