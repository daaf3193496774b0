#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/task.hpp"
#include "domain/hot_change.hpp"
#include "domain/ticket.hpp"

namespace sluice {

/// The hot copy of a sale's stock: who holds how many units, and how many are left. It may be lost
/// at any time; the ledger is the truth. Each verb is one atomic step, and may be repeated: a late
/// or doubled one does nothing. A copy belongs to an epoch, which the ledger counts: each time that
/// the copy is filled anew begins the next one. Every verb that changes units names the epoch it
/// belongs to, and does nothing in another. May be called from any event loop.
///
/// While the epoch of the copy is that of the ledger:
///   left + delta_left of the outbox rows not yet applied + units of open claims that are not
///   committed = left in the ledger.
class StockGate {
  public:
    virtual ~StockGate() = default;

    /// How the other verbs name a claim: its ticket, and the epoch in which it was claimed.
    struct ClaimName {
        TicketId ticket;
        std::int64_t epoch = 1;

        ClaimName(const TicketId& id, std::int64_t claimed_in) : ticket(id), epoch(claimed_in) {}
        explicit ClaimName(const Ticket& claimed) : ClaimName(claimed.id, claimed.epoch) {}
    };

    /// What this process knows without asking anybody. It neither allocates nor waits, since every
    /// refusal needs one.
    struct Glance {
        bool warm = false;        // false: nothing is known and the sale is closed
        std::int64_t left = 0;    // zero or less reads as sold out
        std::int64_t units = 0;   // that the buyer holds
        bool history = false;     // the buyer may have a ticket in this sale; false is certain
        std::int64_t claims = 0;  // won by this process since it started
        /// Grows with every change of the buyer's units, before anybody is told of the change.
        /// While it is the same, the buyer has no new ticket.
        std::int64_t changes = 0;
    };
    virtual Glance glance(SaleId sale, UserId buyer) const = 0;
    /// Whether a glance knows each claim that was made before it. If not, it learns of claims of
    /// other processes a moment later; a refusal that relies on it has waited for that moment.
    virtual bool sees_claims_at_once() const { return true; }

    enum class Verdict {
        won,       // units taken and noted under the ticket
        again,     // this very claim exists and is not settled yet: treat it as won
        done,      // this very claim was settled or released: ask the journal for its outcome
        already,   // the buyer would hold more than the limit
        sold_out,  // fewer units are left than asked for
        moved,     // the copy is of another epoch
        closed,    // there is no copy, or not all of it
        ended,     // by the terms, like the next two
        paused,
        not_started,
        unknown,  // no answer in time: the claim may have been made; ask again with the same ticket
    };
    struct Claimed {
        Verdict verdict = Verdict::unknown;
        std::int64_t units = 0;          // with won and again: that the buyer holds now
        std::optional<TicketId> latest;  // with already: the buyer's latest ticket, when known
    };
    /// If terms are known, their limit is used instead of this one.
    virtual Task<Claimed> claim(Ticket ticket, std::int64_t limit) = 0;

    /// When claims may be made, and how many units a buyer may hold.
    struct Terms {
        std::int64_t version = 0;  // of the sale: a higher one replaces a lower
        Timestamp starts_at;
        std::optional<Timestamp> ends_at;  // exclusive
        bool is_paused = false;
        std::int64_t limit = 1;
    };
    /// From now on every claim, on any node, is also judged by these, by the clock of the copy. So
    /// a pause is in force at once for all who share the copy, whatever they have read of the sale.
    /// Terms that are older than those known change nothing, and a new epoch forgets them. A gate
    /// of one process needs none, since its callers use the same catalog.
    virtual Task<Done> set_terms(SaleId, Terms) { co_return Done{}; }

    /// Whether the buyer's claim under this ticket is open; the journal may not know its outcome
    /// yet. A committed claim is open until it is settled. So is a claim of a former epoch until it
    /// is settled or released, although its units no longer count.
    virtual Task<bool> is_open(TicketId ticket, UserId buyer) = 0;

    /// The latest of the buyer's open claims.
    virtual Task<std::optional<TicketId>> latest_open(SaleId sale, UserId buyer) = 0;

    /// The hand-off is durable: from now on age alone never condemns these. Returns those that
    /// were open and not condemned: only these may be promised as queued.
    virtual Task<std::vector<TicketId>> hand_off(std::vector<ClaimName> claims) = 0;

    /// Condemns open tickets that were claimed before and not handed off, and returns them, as well
    /// as those condemned before. The caller must fence them in the journal and then settle or
    /// release them. It changes marks, not units, and goes through all sales: it names no epoch,
    /// and includes the open claims of former ones.
    virtual Task<std::vector<Ticket>> condemn(Timestamp claimed_before) = 0;

    /// Open tickets that were handed off and claimed before. They are not decided by age alone:
    /// those whose journal row is final are settled or released, the others are left to the writer.
    virtual Task<std::vector<Ticket>> handed_off(Timestamp claimed_before) = 0;

    /// These are committed in the ledger: their units are sold. Returns those of this epoch that
    /// are missed: neither open nor done, so the copy does not know of their units and has to be
    /// filled anew.
    virtual Task<std::vector<TicketId>> settle(std::vector<ClaimName> claims) = 0;

    /// The journal says that these are rolled back, which is final: their units return. Nobody
    /// releases on their own word, because another attempt with the same ticket may be in the
    /// ledger.
    virtual Task<Done> release(std::vector<ClaimName> claims) = 0;

    /// Applies rows of the sale's outbox. A row that the copy has is skipped; a gap ends it.
    /// Returns the number of the last row that the copy has now; nullopt when the copy is not of
    /// this epoch. `left` may become negative, which reads as sold out.
    virtual Task<std::optional<std::int64_t>> apply(SaleId sale, std::int64_t epoch,
                                                    std::vector<HotChange> rows) = 0;

    /// Names one filling of a copy: its epoch, and the ledger that it is read from. A restore
    /// replaces the ledger's name, since the ledger has gone back in time then.
    struct Filling {
        SaleId sale;
        std::int64_t epoch = 1;
        std::string ledger;

        friend bool operator==(const Filling&, const Filling&) = default;
    };
    using Holdings = std::vector<std::pair<UserId, std::int64_t>>;

    /// Whether the caller should be the one to fill the sale's copy now. Of several that share the
    /// copy, only one gets true, for some seconds, so that they do not begin epochs in turns. It
    /// only saves work: filling without asking does no harm.
    virtual Task<bool> may_fill(SaleId) { co_return true; }

    /// A copy is filled beside the present one, which goes on selling, in chunks: begin, fill,
    /// open. Each call returns false, and changes nothing, when the present copy is of this epoch
    /// or a later one; begin also when a filling of this epoch has begun. Each may return false
    /// when a filling of a later epoch has begun. Then another epoch has to be begun. `applied` is
    /// the number of the last outbox row that is included in what was read.
    virtual Task<bool> begin_fill(Filling filling, std::int64_t left, std::int64_t applied) = 0;
    /// Includes buyers who hold nothing now, since they have a past. A chunk may come twice.
    virtual Task<bool> fill(Filling filling, Holdings chunk) = 0;
    /// Claims of the former epoch hold no units any more. Their buyers keep their history, since a
    /// ticket of theirs may yet be committed.
    virtual Task<bool> open_epoch(Filling filling) = 0;

    /// Drops the copy of that epoch. False when claims are open, also of a former epoch, or when
    /// there is no such copy.
    virtual Task<bool> forget(SaleId sale, std::int64_t epoch) = 0;

    /// The epoch of the copy that was opened last, even if that copy is closed now; 0 when none is
    /// known. The next epoch has to be above it.
    virtual Task<std::int64_t> opened_epoch(SaleId sale) = 0;

    struct OpenCopy {
        Filling filling;
        std::int64_t applied = 0;  // the last outbox row it has
        std::int64_t claims = 0;   // that are not settled
        /// The version of the known terms; 0: there are none. nullopt: this gate keeps no terms.
        std::optional<std::int64_t> terms_version = {};
    };
    /// nullopt when there is no copy, or it is closed.
    virtual Task<std::optional<OpenCopy>> open_copy(SaleId sale) = 0;
    /// Of all copies that are not closed, in the order of their sales.
    virtual Task<std::vector<OpenCopy>> open_copies() = 0;

    struct Snapshot {
        std::int64_t epoch = 0;
        std::int64_t left = 0;
        std::int64_t applied = 0;
        std::int64_t open = 0;      // units in claims that are not settled
        std::uint64_t changes = 0;  // grows with each change: the same number, the same copy
        bool steady = true;         // nothing changed while the holdings were read
        std::vector<std::pair<UserId, std::int64_t>> holdings;  // of those who hold any
    };
    /// nullopt when closed.
    virtual Task<std::optional<Snapshot>> snapshot(SaleId sale) = 0;

    /// Over all copies that are not closed.
    struct UnderWay {
        std::int64_t claims = 0;  // open, also of former epochs
        /// Claims that were settled or released since the copies were made. It becomes smaller when
        /// a copy is forgotten or lost.
        std::int64_t decided = 0;
        std::optional<Timestamp> oldest_handed_off = {};  // when it was claimed
    };
    virtual Task<UnderWay> under_way() = 0;
};

}  // namespace sluice
