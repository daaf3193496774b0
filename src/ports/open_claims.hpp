#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "domain/ticket.hpp"

namespace sluice {

/// The stock of a hot copy at one instant, with each claim that is not settled. For comparing it
/// with the ledger while it sells.
struct OpenClaims {
    std::int64_t epoch = 0;
    std::int64_t left = 0;
    std::int64_t applied = 0;  // the last outbox row it has
    std::string ledger;        // that it was filled from
    std::vector<Ticket> claims;
};

}  // namespace sluice
