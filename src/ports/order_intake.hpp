#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "base/task.hpp"
#include "domain/ticket.hpp"

namespace sluice {

/// Reports one batch of hand-offs to admission.
struct IntakeReport {
    std::size_t taken = 0;  // durable now; 0 when the batch failed
    std::chrono::nanoseconds took{0};
    std::size_t backlog = 0;  // under way when it began, itself included
};

struct IntakeOptions {
    static constexpr std::size_t kBatch = 512;
    static constexpr std::size_t kBacklog = 8'192;

    std::size_t batch = kBatch;      // tickets in one transaction
    std::size_t backlog = kBacklog;  // tickets under way
    /// Called after a commit with new orders, with the time at which the first of them is due. Like
    /// the callbacks below it is called from any thread, and must not block or throw.
    std::function<void(Timestamp)> on_hold = [](Timestamp) {};
    /// Called after each transaction with tickets; one intake never calls it twice at once.
    std::function<void(const IntakeReport&)> on_batch = [](const IntakeReport&) {};
    /// Called for a ticket that failed alone, for a reason that is neither an outage nor a refusal:
    /// its rows do not fit together.
    std::function<void(const Ticket&, std::string_view reason)> on_failure =
        [](const Ticket&, std::string_view) {};
};

/// The durable hand-off of a claim. A buyer may be promised only what it has accepted.
class OrderIntake {
  public:
    virtual ~OrderIntake() = default;

    /// A hand-off waits at most this long for a store that is locked or silent; then its fate is
    /// not_taken or unknown.
    static constexpr std::chrono::seconds kLongestWait{5};
    /// So many may always be under way, whatever the options say; so admission never refuses below
    /// this.
    static constexpr std::size_t kLeastSlots = 1'024;

    /// A slot among the tickets that wait to be handed off. It is reserved before the claim, so
    /// that "too many wait" is answered before anything was taken. Gives itself back at its end.
    class Slot {
      public:
        explicit Slot(std::atomic<std::size_t>& taken) : taken_(&taken) {}
        Slot(Slot&& other) noexcept : taken_(std::exchange(other.taken_, nullptr)) {}
        Slot& operator=(Slot&& other) noexcept {
            std::swap(taken_, other.taken_);
            return *this;
        }
        ~Slot() {
            if (taken_) --*taken_;
        }

      private:
        std::atomic<std::size_t>* taken_;
    };
    /// `most` slots, but never fewer than kLeastSlots. From any thread.
    class Slots {
      public:
        explicit Slots(std::size_t bound) : bound_(std::max(bound, kLeastSlots)) {}

        std::optional<Slot> reserve() {
            if (taken_.fetch_add(1) < bound_) return Slot(taken_);
            --taken_;
            return std::nullopt;
        }
        std::size_t taken() const { return taken_; }
        std::size_t bound() const { return bound_; }

      private:
        const std::size_t bound_;
        std::atomic<std::size_t> taken_ = 0;
    };
    /// nullopt: too many wait.
    virtual std::optional<Slot> reserve() = 0;

    enum class Fate {
        ordered,    // durable and done: the record has the order
        queued,     // durable, and will be done
        refused,    // durable: the ledger said no, the record has the reason
        not_taken,  // certainly nothing happened
        unknown,    // may be durable or not: promise and release nothing; ask the journal
    };
    struct Taken {
        Fate fate = Fate::unknown;
        /// The journal's row of the ticket. Its claim is settled or released by this row.
        TicketRecord own;
        /// The answer to the wish: of this ticket, or of the ticket that had decided the same wish
        /// before.
        TicketRecord record;
        bool fresh = false;  // written by this call; else an earlier outcome stands
        /// With an order: an outbox row tells of it, since it was claimed in another epoch.
        bool needs_outbox_row = false;
    };
    /// Safe to repeat with the same ticket, also at the same time: the first call counts.
    virtual Task<Taken> submit(Slot slot, Ticket ticket) = 0;

    /// How many have a slot.
    virtual std::size_t backlog() const = 0;
};

}  // namespace sluice
