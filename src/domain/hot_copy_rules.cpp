#include "domain/hot_copy_rules.hpp"

#include <algorithm>
#include <functional>

namespace sluice {

std::optional<HotChange> hot_change_for_order(const Ticket& ticket, const TicketRecord& record,
                                              const Sale& sale) {
    if (!record.order || ticket.epoch == sale.epoch) return std::nullopt;
    return HotChange{.seq = 0,
                     .delta_left = -record.quantity,
                     .buyer = ticket.buyer,
                     .delta_units = record.quantity};
}

HotChange hot_change_for_return(UserId buyer, std::int64_t units) {
    return {.seq = 0, .delta_left = units, .buyer = buyer, .delta_units = -units};
}

std::optional<HotChange> hot_change_for_restock(const Stock& before, const Stock& after) {
    const auto units = after.total - before.total;
    if (units == 0) return std::nullopt;
    return HotChange{.seq = 0, .delta_left = units, .buyer = std::nullopt, .delta_units = 0};
}

std::int64_t next_epoch(std::int64_t present, std::int64_t above, Timestamp now,
                        std::string_view ledger) {
    constexpr std::size_t kMostSteps = 1 << 20;
    const auto step =
        1 + static_cast<std::int64_t>(std::hash<std::string_view>{}(ledger) % kMostSteps);
    return std::max({present, above, to_millis(now)}) + step;
}

}  // namespace sluice
