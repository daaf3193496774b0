#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/timestamp.hpp"
#include "domain/hot_change.hpp"
#include "domain/sale.hpp"
#include "domain/ticket.hpp"

namespace sluice {

/// What a ledger tells the hot copies of its sales. The rows have no number yet: the ledger gives
/// each the next number of its sale, in the transaction of the change.

/// The row for a ticket that has just been decided. Only an order that was claimed in another epoch
/// than the sale's needs one: the present copy never saw its claim.
std::optional<HotChange> hot_change_for_order(const Ticket& ticket, const TicketRecord& record,
                                              const Sale& sale);

/// The row for units that return from an order of this buyer.
HotChange hot_change_for_return(UserId buyer, std::int64_t units);

/// The row for an operator's change of the stock; nullopt when it stays the same.
std::optional<HotChange> hot_change_for_restock(const Stock& before, const Stock& after);

/// The number of the epoch that begins now: above every one that the ledger has begun, above
/// `above`, and above the time. It must be new even if the ledger was restored and has forgotten
/// epochs. The time ensures that, unless a clock was far ahead before. Therefore the step also
/// depends on the ledger's name, which a restore replaces: from the same number it goes on to other
/// numbers.
std::int64_t next_epoch(std::int64_t present, std::int64_t above, Timestamp now,
                        std::string_view ledger);

}  // namespace sluice
