#pragma once

#include <vector>

#include "base/id_source.hpp"
#include "ports/clock.hpp"
#include "ports/order_intake.hpp"
#include "simulation/schedule.hpp"
#include "simulation/store.hpp"

namespace sluice::simulation {

/// Takes what waits in one transaction, as the group intake does, with the same ticket writer. At
/// times there is no room, or the store fails; a commit may leave open whether it happened; a
/// ticket may be written twice, and everybody hears of theirs late.
class FaultyIntake final : public OrderIntake {
  public:
    FaultyIntake(Store& store, Schedule& schedule, const Clock& clock, IdSource& ids)
        : store_(store), schedule_(schedule), clock_(clock), ids_(ids) {}

    Task<Taken> submit(Ticket ticket) override;
    std::size_t backlog() const override { return waiting_.size(); }

  private:
    struct Waiter {
        Ticket ticket;
        Completion<Taken> tell;  // empty for a double
    };

    void enter(Ticket ticket, Completion<Taken> tell);
    void wait(Waiter waiter);
    void commit_batch();
    std::vector<Taken> write(sqlite::Database& database, const std::vector<Ticket>& tickets,
                             Timestamp now);
    static std::vector<Ticket> tickets_of(const std::vector<Waiter>& batch);
    void tell_all(std::vector<Waiter> batch, Fate fate, std::exception_ptr bug = nullptr);
    void tell(Waiter waiter, Taken taken, std::exception_ptr bug);

    Store& store_;
    Schedule& schedule_;
    const Clock& clock_;
    IdSource& ids_;
    std::vector<Waiter> waiting_;
    bool batch_sent_ = false;
};

}  // namespace sluice::simulation
