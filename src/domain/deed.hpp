#pragma once

#include <string>

#include "base/timestamp.hpp"
#include "domain/ids.hpp"

namespace sluice {

/// One line of the audit trail: what an operator did, written in the same transaction as its
/// effect, never changed afterwards.
struct Deed {
    DeedId id;
    Timestamp at;
    UserId actor;
    std::string address;
    std::string request_id;
    std::string action;   // such as sale.pause
    std::string subject;  // the id of what was acted on
    std::string before;   // JSON, empty for a creation
    std::string after;    // JSON
};

}  // namespace sluice
