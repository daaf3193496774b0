#include "adapters/sql/ledgers/group_intake.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "base/check.hpp"
#include "base/reason_of.hpp"
#include "ports/taken.hpp"

namespace sluice::ledgers {
namespace {

using Fate = OrderIntake::Fate;
using Taken = OrderIntake::Taken;

/// What a failure means for the waiting tickets: a Fate, or an exception if it is a bug.
std::pair<Fate, std::exception_ptr> translate(std::exception_ptr failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const UnknownOutcome&) {
        return {Fate::unknown, nullptr};
    } catch (const Outage&) {
        return {Fate::not_taken, nullptr};
    } catch (const Overload&) {
        return {Fate::not_taken, nullptr};
    } catch (...) {
        return {Fate::not_taken, failure};
    }
}

/// Those who wait on one event loop.
struct Audience {
    struct Member {
        Completion<Taken> resume;
        Taken taken;
        std::exception_ptr bug;
    };
    Executor* loop = nullptr;
    std::vector<Member> members;
};

Audience& audience_on(std::vector<Audience>& audiences, Executor* loop) {
    for (auto& audience : audiences)
        if (audience.loop == loop) return audience;
    return audiences.emplace_back(loop, std::vector<Audience::Member>{});
}

void tell(Audience audience) {
    audience.loop->post([members = std::move(audience.members)]() mutable {
        for (auto& member : members) member.resume(member.bug, std::move(member.taken));
    });
}

}  // namespace

/// One transaction's part of the waiting tickets. It takes them only when its turn has come, so a
/// slower writer gets larger batches.
class GroupIntake::Batch final : public sql::Job {
  public:
    explicit Batch(GroupIntake& intake) : intake_(intake) {}

    void deliver(std::exception_ptr failure) override {
        take();
        if (!failure) failure = error_;
        if (failure) give_up(failure);
        if (!failure && written_.first_due) intake_.on_hold_(*written_.first_due);
        std::vector<Audience> audiences;
        for (std::size_t i = 0; i < waiters_.size(); ++i)
            audience_on(audiences, waiters_[i].executor).members.push_back(member_for(i));
        waiters_.clear();  // their slots are free before they are told
        report(!failure);
        for (auto& audience : audiences) tell(std::move(audience));
        intake_.end_batch();
    }

    /// An engine with several writers has tickets lock their sales.
    bool locks_by_itself() const override { return true; }

  private:
    bool attempt(Database& database) override {
        began_ = std::chrono::steady_clock::now();
        take();
        error_ = nullptr;
        try {
            std::vector<const Ticket*> tickets;
            tickets.reserve(waiters_.size());
            for (const auto& waiter : waiters_) tickets.push_back(&waiter.ticket);
            written_ = intake_.desk_.write(database, tickets);
            return true;
        } catch (...) {
            error_ = translate_current();
            return false;
        }
    }

    /// A batch that never ran has still to take its waiters.
    void take() {
        if (std::exchange(has_taken_, true)) return;
        backlog_ = intake_.slots_.taken();
        waiters_ = intake_.take_waiting();
        count_ = waiters_.size();
    }

    void report(bool committed) const {
        // A batch that never ran says nothing about the ledger's speed.
        if (began_ == std::chrono::steady_clock::time_point{}) return;
        intake_.on_batch_({.taken = committed ? count_ : 0,
                           .took = std::chrono::steady_clock::now() - began_,
                           .backlog = backlog_});
    }

    void give_up(std::exception_ptr failure) {
        const auto [fate, bug] = translate(std::move(failure));
        written_.outcomes.clear();
        for (const auto& waiter : waiters_) {
            if (bug)
                written_.outcomes.push_back(std::unexpected(bug));
            else
                written_.outcomes.push_back(without_row(waiter.ticket, fate));
        }
    }

    /// For a ticket that failed alone its claim stays as it is, and the reaper asks the journal.
    Audience::Member member_for(std::size_t index) {
        auto& waiter = waiters_[index];
        auto& outcome = written_.outcomes[index];
        if (outcome) return {std::move(waiter.resume), std::move(*outcome), nullptr};
        intake_.on_failure_(waiter.ticket, reason_of(outcome.error()));
        return {std::move(waiter.resume), Taken{}, outcome.error()};
    }

    GroupIntake& intake_;
    bool has_taken_ = false;
    std::chrono::steady_clock::time_point began_;
    std::size_t backlog_ = 0;
    std::size_t count_ = 0;
    std::vector<Waiter> waiters_;
    WrittenTickets written_;
    std::exception_ptr error_;
};

GroupIntake::GroupIntake(Writer& writer, const TicketDesk& desk, const IntakeOptions& options)
    : writer_(writer),
      desk_(desk),
      batch_(options.batch),
      on_hold_(options.on_hold),
      on_batch_(options.on_batch),
      on_failure_(options.on_failure),
      slots_(options.backlog),
      waiting_(slots_.bound()) {
    CHECK(batch_ > 0, "a batch holds something");
}

GroupIntake::~GroupIntake() {
    const MutexLock lock(mutex_);
    while (batches_ != 0) idle_.wait(mutex_);
}

Task<Taken> GroupIntake::submit(Slot slot, Ticket ticket) {
    auto& executor = co_await own_executor();
    // Resumed together with all others on the same loop, by one post.
    auto start = [&](Completion<Taken> resume) {
        enter({std::move(slot), std::move(ticket), &executor, std::move(resume)});
    };
    co_return co_await await_own_loop<Taken>(std::move(start));
}

void GroupIntake::enter(Waiter waiter) {
    {
        const MutexLock lock(mutex_);
        waiting_.push_back(std::move(waiter));
        if (std::exchange(batch_sent_, true)) return;
        ++batches_;
    }
    writer_.put(std::make_unique<Batch>(*this));
}

std::vector<GroupIntake::Waiter> GroupIntake::take_waiting() {
    std::vector<Waiter> taken;
    {
        const MutexLock lock(mutex_);
        const auto count = static_cast<std::ptrdiff_t>(std::min(batch_, waiting_.size()));
        const auto end = waiting_.begin() + count;
        taken.assign(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(end));
        waiting_.erase_begin(static_cast<std::size_t>(count));
        batch_sent_ = !waiting_.empty();
        if (!batch_sent_) return taken;
        ++batches_;
    }
    writer_.put(std::make_unique<Batch>(*this));
    return taken;
}

void GroupIntake::end_batch() {
    const MutexLock lock(mutex_);
    // Told under the lock, because whoever waits for this may destroy the condition right
    // afterwards.
    if (--batches_ == 0) idle_.notify_all();
}

}  // namespace sluice::ledgers
