#pragma once

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "base/task.hpp"
#include "domain/ticket.hpp"

namespace sluice {

/// The hot copy of a sale's stock: who holds how many units, and how many are left. It may be lost
/// at any time; the ledger is the truth. Each verb is one atomic step, and may be repeated: a late
/// or doubled one does nothing. Verbs name the epoch they belong to; in another epoch they do
/// nothing. May be called from any event loop.
class StockGate {
  public:
    virtual ~StockGate() = default;

    /// What this process knows without asking anybody. It allocates nothing and waits for nothing,
    /// since every refusal costs one.
    struct Glance {
        bool warm = false;        // else nothing is known and the sale is closed
        std::int64_t left = 0;    // zero or less reads as sold out
        std::int64_t units = 0;   // that the buyer holds
        bool history = false;     // the buyer may have a ticket in this sale; false is certain
        std::int64_t claims = 0;  // won by this process since it started
        /// Grows with every change of the buyer's units, before anybody is told of it: while it is
        /// the same, nothing new of theirs has come.
        std::int64_t changes = 0;
    };
    virtual Glance glance(SaleId sale, UserId buyer) const = 0;

    enum class Verdict {
        won,       // units taken and noted under the ticket
        again,     // this very claim had been made and is not settled yet: take it as won
        done,      // this very claim was settled or released: the journal knows what came of it
        already,   // the buyer would hold more than the limit
        sold_out,  // fewer units are left than asked for
        closed,    // the hot copy is not there: not warm, or of another epoch
        unknown,  // no answer in time: the claim may have been made; ask again with the same ticket
    };
    struct Claimed {
        Verdict verdict = Verdict::unknown;
        std::int64_t left = 0;
        std::int64_t units = 0;          // with won and again: that the buyer holds now
        std::optional<TicketId> latest;  // with already: the buyer's latest ticket, when known
    };
    virtual Task<Claimed> claim(Ticket ticket, std::int64_t limit) = 0;

    /// Whether the buyer's claim under this ticket is open: what will come of it, the journal may
    /// not say yet. A claim that is committed is open until it is settled.
    virtual Task<bool> is_open(TicketId ticket, UserId buyer) = 0;

    /// The latest of the buyer's open claims.
    virtual Task<std::optional<TicketId>> latest_open(SaleId sale, UserId buyer) = 0;

    /// The hand-off is durable: from now on age alone never condemns these. Returns those that
    /// were open and not condemned.
    virtual Task<std::vector<TicketId>> hand_off(std::vector<TicketId> tickets) = 0;

    /// Condemns open tickets older than `age` that were not handed off, and returns them, as well
    /// as those condemned before. Whoever asks must fence them in the journal and then settle or
    /// release them.
    virtual Task<std::vector<Ticket>> condemn(Timestamp claimed_before) = 0;

    /// These are committed in the ledger: their units are gone for good. Returns those that were
    /// not open: the copy does not know of their units, and has to be told with apply().
    virtual Task<std::vector<TicketId>> settle(std::vector<TicketId> tickets) = 0;

    /// Why units return.
    enum class Ground {
        rolled_back,     // the journal says so, and that is final
        not_handed_off,  // the caller knows that nothing came of their own attempt
    };
    /// On the caller's word alone a claim stays that was won again, since it may be in other hands
    /// whose hand-off is under way, and one that is condemned, since its fence may be: both go by
    /// what the journal says.
    virtual Task<Done> release(std::vector<TicketId> tickets, Ground ground) = 0;

    /// A committed change of the ledger that the hot copy has not seen: an order cancelled, a
    /// sale restocked. Applied once, since the caller counts them.
    struct Move {
        SaleId sale;
        std::int64_t delta_left = 0;
        UserId buyer;  // with delta_units
        std::int64_t delta_units = 0;
    };
    virtual Task<Done> apply(std::vector<Move> moves) = 0;

    /// Fills and opens the copy anew, from the ledger.
    struct Copy {
        SaleId sale;
        std::int64_t epoch = 1;
        std::int64_t left = 0;
        std::vector<std::pair<UserId, std::int64_t>> holdings;  // also those who hold nothing now
    };
    virtual Task<Done> warm(Copy copy) = 0;

    struct Snapshot {
        std::int64_t epoch = 0;
        std::int64_t left = 0;
        std::int64_t open = 0;  // units in claims that are not settled
        std::vector<std::pair<UserId, std::int64_t>> holdings;  // of those who hold any
    };
    /// nullopt when closed.
    virtual Task<std::optional<Snapshot>> snapshot(SaleId sale) = 0;
};

}  // namespace sluice
