#pragma once

#include <optional>
#include <string>

#include "base/timestamp.hpp"
#include "domain/ids.hpp"

namespace sluice {

/// One line of the audit trail: what somebody did, written in the same transaction as its effect,
/// never changed afterwards. It was done by a user over HTTP, or at the command line.
struct Deed {
    DeedId id;
    Timestamp at;
    std::optional<UserId> actor;           // over HTTP
    std::optional<std::string> os_user{};  // at the command line: the system's name of the user
    std::string address;                   // empty at the command line, and so is the next
    std::string request_id;
    std::string action;   // such as sale.pause
    std::string subject;  // the id of what was acted on
    std::string before;   // JSON, empty for a creation
    std::string after;    // JSON
};

}  // namespace sluice
