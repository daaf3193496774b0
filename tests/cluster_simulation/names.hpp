#pragma once

#include <string>
#include <vector>

#include "ports/stock_gate.hpp"

namespace sluice::cluster_simulation {

/// Enough of a ticket to distinguish it from the others of a run.
inline std::string short_name(const TicketId& ticket) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string name;
    for (std::size_t i = 0; i < 3; ++i) {
        name += kDigits[ticket.mark[i] >> 4];
        name += kDigits[ticket.mark[i] & 15];
    }
    return name;
}

inline std::string short_names(const std::vector<StockGate::ClaimName>& claims) {
    std::string names;
    for (const auto& claim : claims) names += " " + short_name(claim.ticket);
    return names;
}

inline std::string short_names(const std::vector<Ticket>& tickets) {
    std::string names;
    for (const auto& ticket : tickets) names += " " + short_name(ticket.id);
    return names;
}

/// Epochs are milliseconds of a clock, so the last digits distinguish them.
inline std::string short_epoch(std::int64_t epoch) {
    return std::to_string(epoch % 100'000'000);
}

}  // namespace sluice::cluster_simulation
