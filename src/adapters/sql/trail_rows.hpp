#pragma once

#include <optional>
#include <string>

#include "base/timestamp.hpp"
#include "domain/deed.hpp"
#include "ports/trail_ledger.hpp"

namespace sluice {

struct DeedRow {
    DeedId id;
    Timestamp at;
    std::optional<UserId> actor;
    std::optional<std::string> os_user;
    std::string address;
    std::string request_id;
    std::string action;
    std::string subject;
    std::string before;
    std::string after;
};
Deed to_deed(DeedRow row);
DeedRow to_row(const Deed& deed);

struct TrailEntryRow {
    DeedRow deed;
    std::optional<std::string> actor_name;
};
TrailLedger::Entry to_entry(TrailEntryRow row);

}  // namespace sluice
