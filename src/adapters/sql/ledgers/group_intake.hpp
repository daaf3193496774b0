#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include <boost/circular_buffer.hpp>

#include "adapters/sql/ledgers/engine.hpp"
#include "adapters/sql/ledgers/ticket_desk.hpp"
#include "base/condition.hpp"
#include "base/mutex.hpp"
#include "ports/order_intake.hpp"

namespace sluice::ledgers {

/// Hands tickets off directly into the ledger: all that wait are written to the journal, ordered
/// and taken from the stock in one transaction, and all of them are answered together, with one
/// post to each event loop. If the store fails before the commit, nothing was taken; only a commit
/// that fails leaves the outcome unknown. A ticket whose rows do not fit together fails alone: its
/// submit() throws, and the others in its batch do not notice.
class GroupIntake final : public OrderIntake {
  public:
    GroupIntake(Writer& writer, const TicketDesk& desk, const IntakeOptions& options);
    /// Waits for what is under way. To be destroyed before the writer.
    ~GroupIntake() override;

    std::optional<Slot> reserve() override { return slots_.reserve(); }
    Task<Taken> submit(Slot slot, Ticket ticket) override;
    std::size_t backlog() const override { return slots_.taken(); }

  private:
    class Batch;
    struct Waiter {
        Slot slot;
        Ticket ticket;
        Executor* executor = nullptr;
        Completion<Taken> resume;
    };

    void enter(Waiter waiter);
    std::vector<Waiter> take_waiting();
    void end_batch();

    Writer& writer_;
    const TicketDesk desk_;
    const std::size_t batch_;
    const std::function<void(Timestamp)> on_hold_;
    const std::function<void(const IntakeReport&)> on_batch_;
    const std::function<void(const Ticket&, std::string_view)> on_failure_;
    Slots slots_;

    Mutex mutex_;
    Condition idle_;
    boost::circular_buffer<Waiter> waiting_ GUARDED_BY(mutex_);
    bool batch_sent_ GUARDED_BY(mutex_) = false;  // a batch was sent that will take what waits
    std::size_t batches_ GUARDED_BY(mutex_) = 0;  // sent and not yet delivered
};

}  // namespace sluice::ledgers
