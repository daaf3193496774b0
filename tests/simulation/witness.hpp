#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "simulation/call.hpp"
#include "simulation/process.hpp"
#include "simulation/shelf.hpp"

namespace sluice::simulation {

enum class Question { buy, pass, ticket, my_ticket, order, cancel, sale, operate };

/// What a request is about; only what its question needs is set.
struct Subject {
    Question question = Question::buy;
    SaleId sale;
    UserId buyer;
    std::int64_t quantity = 1;
    std::optional<Timestamp> pass_expires;  // none: the pass belongs to somebody else
    bool has_asked_before = false;          // for a pass of this sale
    std::optional<TicketId> ticket;
    std::optional<OrderId> order;
    std::shared_ptr<const std::set<std::int64_t>> quantities;  // that its key has come with
};

/// What was true at some instant between a request and its answer: in the ledger, or in the memory
/// of the process, which learns of a commit a moment later.
struct Facts {
    bool ended = false;
    bool paused = false;
    bool not_started = false;
    bool too_few = false;      // fewer units left than asked for, or the flag said that none is
    bool too_many = false;     // with what the buyer has or has on the way: more than the limit
    bool above_limit = false;  // the request alone is more than the limit
    bool gate_full = false;    // as many places taken as the gate has
    bool pass_over = false;
    bool absent = false;         // what was asked for is not on record
    bool not_pending = false;    // the order to be cancelled
    bool cold = false;           // the sale has no hot copy of the epoch in which it is sold
    bool fault = false;          // something failed that the shop depends on
    bool given_up = false;       // a try of this buyer ended without deciding anything
    bool on_the_way = false;     // units of this buyer are claimed and not decided, or not returned
    bool tampered = false;       // somebody changed this buyer's rows by hand: anything goes
    std::set<Reason> on_record;  // a decision of the ledger that stands
};

/// Watches while a request is under way.
class Watch {
  public:
    Watch(Subject subject, const Shelf& shelf, const Process& process, Timestamp now);

    void look(const Shelf& shelf, const Process& process, Timestamp now);
    void note_tampered() { facts_.tampered = true; }

    const Subject& subject() const { return subject_; }

    /// Why the answer is wrong, if it is.
    std::optional<std::string> objection(const Answer& answer) const;

  private:
    void look_at_sale(const Sale& sale, Timestamp now);
    void look_at_units(const Shelf& shelf, const Process& process);
    void look_at_record(const Shelf& shelf, Timestamp now);
    std::optional<std::string> objection_to_ticket(const Answer& answer) const;
    bool may_be_told(http::Code code) const;
    bool may_have_lapsed() const;

    const Subject subject_;
    const std::uint64_t faults_before_;
    const std::size_t given_up_before_;
    std::int64_t least_limit_;
    Facts facts_;
};

/// All watches. When a process dies its requests, and their watches, end.
class Witness {
  public:
    std::shared_ptr<Watch> watch(Subject subject, const Shelf& shelf, const Process& process,
                                 Timestamp now);
    void look(const Shelf& shelf, const Process& process, Timestamp now);

  private:
    std::vector<std::weak_ptr<Watch>> watches_;
};

}  // namespace sluice::simulation
