#pragma once

#include <string>
#include <vector>

#include "ports/open_claims.hpp"
#include "ports/order_ledger.hpp"

namespace sluice {

/// The result of an audit for the hot copy of one sale.
struct HotCopyVerdict {
    enum class State {
        agrees,        // with the ledger, on what is left and on the units of every buyer
        under_way,     // what is under way explains the difference
        missing,       // there is no copy that can be sold from
        other_epoch,   // than that of the ledger
        other_ledger,  // it was filled from another ledger
        differs,       // and nothing under way explains it
    };
    SaleId sale;
    State state = State::agrees;
    std::string detail;  // explanation for an operator; empty when it agrees

    /// Servers correct everything by themselves except a difference that nothing explains: that
    /// they correct only when they find the sale at rest.
    bool heals_by_itself() const { return state != State::differs; }
};

/// Such as "other_epoch".
std::string_view name_of(HotCopyVerdict::State state);

/// What the ledger has for a sale, and the changes that are on their way. The rows are those of the
/// outbox that a copy may lack, in order. The claims are those of the copy.
struct LedgerView {
    OrderLedger::HotCopy copy;
    std::vector<HotChange> rows;
    std::vector<Ticket> not_committed;  // of the open claims
};

/// For a sale of which neither side has changed while both were read. Exact: what is left and the
/// units of every buyer are what the ledger has, less what is under way.
HotCopyVerdict judge_at_rest(const StockGate::Snapshot& hot, const LedgerView& ledger);

/// For a sale that sells too fast for both sides to be read at one instant. `before` and `after`
/// are the copy before and after the ledger was read. Only what is left is judged, by two bounds. A
/// claim is settled after it is committed, so what was settled before the ledger was read is
/// committed in it. And what the ledger had committed by then is settled afterwards, or is open and
/// committed.
HotCopyVerdict judge_while_selling(const OpenClaims& before, const LedgerView& ledger,
                                   const OpenClaims& after);

}  // namespace sluice
