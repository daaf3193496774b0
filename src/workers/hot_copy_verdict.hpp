#pragma once

#include <string>
#include <vector>

#include "ports/open_claims.hpp"
#include "ports/order_ledger.hpp"

namespace sluice {

/// What an audit says of the hot copy of one sale.
struct HotCopyVerdict {
    enum class State {
        agrees,        // with the ledger, on what is left and on the units of every buyer
        under_way,     // what is under way explains the difference
        missing,       // there is no copy that could be sold from
        other_epoch,   // than the ledger's
        other_ledger,  // it was filled from a ledger that is not this one
        differs,       // and nothing under way explains it
    };
    SaleId sale;
    State state = State::agrees;
    std::string detail;  // what it means, in words for an operator; empty when it agrees

    /// Servers put everything in order by themselves but a difference that nothing explains: they
    /// do so only when they find the sale at rest.
    bool heals_by_itself() const { return state != State::differs; }
};

/// Such as "other_epoch".
std::string_view name_of(HotCopyVerdict::State state);

/// What the ledger says of a sale, and what it says of the changes that are on their way. The rows
/// are those of the outbox that a copy may lack, in order. The claims are those of the copy.
struct LedgerView {
    OrderLedger::HotCopy copy;
    std::vector<HotChange> rows;
    std::vector<Ticket> not_committed;  // of the open claims
};

/// When neither side has changed while both were read. Exact: what is left and the units of every
/// buyer are what the ledger has, less what is under way.
HotCopyVerdict judge_at_rest(const StockGate::Snapshot& hot, const LedgerView& ledger);

/// When it sells so fast that the two sides cannot be read at one instant. `before` and `after` are
/// the copy before and after the ledger was read. Only what is left is judged, by two bounds: a
/// claim is settled after it is committed, so before the ledger was read no more can have been
/// settled than is committed in it; and what it had committed by then is settled afterwards, or is
/// open and committed.
HotCopyVerdict judge_in_motion(const OpenClaims& before, const LedgerView& ledger,
                               const OpenClaims& after);

}  // namespace sluice
