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
/// or doubled one does nothing. A copy belongs to an epoch, which the ledger counts: each time that
/// the copy is filled anew begins the next one. Every verb that changes something names the epoch
/// it belongs to, and does nothing in another. May be called from any event loop.
class StockGate {
  public:
    virtual ~StockGate() = default;

    /// A claim as the verbs after it name it: its ticket, and the epoch in which it was claimed.
    struct ClaimName {
        TicketId ticket;
        std::int64_t epoch = 1;

        ClaimName(const TicketId& id, std::int64_t claimed_in) : ticket(id), epoch(claimed_in) {}
        explicit ClaimName(const Ticket& claimed) : ClaimName(claimed.id, claimed.epoch) {}
    };

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
    /// not say yet. A claim that is committed is open until it is settled. So is a claim of a
    /// former epoch until it is settled or released, although its units no longer count.
    virtual Task<bool> is_open(TicketId ticket, UserId buyer) = 0;

    /// The latest of the buyer's open claims.
    virtual Task<std::optional<TicketId>> latest_open(SaleId sale, UserId buyer) = 0;

    /// The hand-off is durable: from now on age alone never condemns these. Returns those that
    /// were open and not condemned.
    virtual Task<std::vector<TicketId>> hand_off(std::vector<ClaimName> claims) = 0;

    /// Condemns open tickets older than `age` that were not handed off, those of former epochs too,
    /// and returns them, as well as those condemned before. Whoever asks must fence them in the
    /// journal and then settle or release them.
    virtual Task<std::vector<Ticket>> condemn(Timestamp claimed_before) = 0;

    /// These are committed in the ledger: their units are gone for good. Returns those of this
    /// epoch that were not open: the copy does not know of their units, and has to be told with
    /// apply().
    virtual Task<std::vector<TicketId>> settle(std::vector<ClaimName> claims) = 0;

    /// Why units return.
    enum class Ground {
        rolled_back,     // the journal says so, and that is final
        not_handed_off,  // the caller knows that nothing came of their own attempt
    };
    /// On the caller's word alone a claim stays that was won again, since it may be in other hands
    /// whose hand-off is under way, and one that is condemned, since its fence may be: both go by
    /// what the journal says.
    virtual Task<Done> release(std::vector<ClaimName> claims, Ground ground) = 0;

    /// A committed change of the ledger that the hot copy has not seen: an order cancelled, a
    /// sale restocked. Applied once, since the caller counts them.
    struct Move {
        SaleId sale;
        std::int64_t epoch = 1;  // the sale's in the ledger, in the transaction of the change
        std::int64_t delta_left = 0;
        UserId buyer;  // with delta_units
        std::int64_t delta_units = 0;
    };
    /// A copy of a later epoch than the move's was read after it, and has it. A move of a later
    /// epoch than the copy's waits for the copy of that epoch.
    virtual Task<Done> apply(std::vector<Move> moves) = 0;

    /// The most moves that wait for a copy.
    static constexpr std::size_t kMostWaitingMoves = 10'000;

    /// The copy of a new epoch is going to be read: from now on the moves of that epoch wait for
    /// it, also when there is no copy yet. Returns the epoch of the present copy, or 0.
    virtual Task<std::int64_t> expect(SaleId sale) = 0;

    struct Copy {
        SaleId sale;
        std::int64_t epoch = 1;
        std::int64_t left = 0;
        std::vector<std::pair<UserId, std::int64_t>> holdings;  // also those who hold nothing now
    };
    /// Fills and opens the copy anew, from the ledger. The claims of the former epoch hold no units
    /// any more; their buyers keep their history, since a ticket of theirs may yet be committed.
    /// False, and nothing has changed, when the copy there is of this epoch or a later one, or when
    /// more moves waited than can: then another epoch has to be begun.
    virtual Task<bool> warm(Copy copy) = 0;

    /// Drops the copy of that epoch. False when claims are open, also of a former epoch, or there
    /// is no such copy.
    virtual Task<bool> forget(SaleId sale, std::int64_t epoch) = 0;

    struct Filled {
        SaleId sale;
        std::int64_t epoch = 1;
    };
    /// All copies there are, in the order of their sales.
    virtual Task<std::vector<Filled>> copies() = 0;

    struct Snapshot {
        std::int64_t epoch = 0;
        std::int64_t left = 0;
        std::int64_t open = 0;      // units in claims that are not settled
        std::uint64_t changes = 0;  // grows with each change: the same number, the same copy
        bool steady = true;         // nothing changed while the holdings were read
        std::vector<std::pair<UserId, std::int64_t>> holdings;  // of those who hold any
    };
    /// nullopt when closed.
    virtual Task<std::optional<Snapshot>> snapshot(SaleId sale) = 0;
};

}  // namespace sluice
