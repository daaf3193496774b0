#pragma once

namespace sluice::simulation {

/// Defects that this simulation has found and that are being mended. Whoever mends one removes its
/// line here, which switches the check on.
inline constexpr bool kDeedsAreDatedByTheRequest = true;  // the audit is red after a late commit
inline constexpr bool kAbsencesAreRemembered = true;      // a ticket that exists is not found
inline constexpr bool kOneTicketFailsABatch = true;       // others hear 500 for a row that is wrong
inline constexpr bool kEditsWriteTheStock = true;         // an edit takes a restock back

}  // namespace sluice::simulation
