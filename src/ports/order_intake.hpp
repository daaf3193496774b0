#pragma once

#include <chrono>

#include "base/task.hpp"
#include "domain/ticket.hpp"

namespace sluice {

/// How one batch of hand-offs went: what admission goes by.
struct IntakeReport {
    std::size_t taken = 0;  // durable now; 0 when the batch failed
    std::chrono::nanoseconds took{0};
    std::size_t backlog = 0;  // under way when it began, itself included
};

/// The durable hand-off of a claim. Only what it says yes to may be promised to a buyer.
class OrderIntake {
  public:
    virtual ~OrderIntake() = default;

    enum class Fate {
        ordered,    // durable and done: the record has the order
        queued,     // durable, and will be done
        refused,    // durable: the ledger said no, the record has the reason
        not_taken,  // certainly nothing happened: too many wait
        unknown,    // it may be durable or not: never promise, never release; ask the journal
    };
    struct Taken {
        Fate fate = Fate::unknown;
        TicketRecord record;
        bool fresh = false;  // this call wrote it; else an earlier one had, and its outcome stands
        std::int64_t epoch = 1;  // when fresh: the sale's in the ledger, in that transaction
    };
    /// Safe to repeat with the same ticket, at the same time too: the first one counts.
    virtual Task<Taken> submit(Ticket ticket) = 0;

    /// How many are under way.
    virtual std::size_t backlog() const = 0;
};

}  // namespace sluice
