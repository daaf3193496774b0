#include "adapters/sql/trail_rows.hpp"

#include <utility>

namespace sluice {

Deed to_deed(DeedRow row) {
    return {.id = row.id,
            .at = row.at,
            .actor = row.actor,
            .os_user = std::move(row.os_user),
            .address = std::move(row.address),
            .request_id = std::move(row.request_id),
            .action = std::move(row.action),
            .subject = std::move(row.subject),
            .before = std::move(row.before),
            .after = std::move(row.after)};
}

DeedRow to_row(const Deed& deed) {
    return {.id = deed.id,
            .at = deed.at,
            .actor = deed.actor,
            .os_user = deed.os_user,
            .address = deed.address,
            .request_id = deed.request_id,
            .action = deed.action,
            .subject = deed.subject,
            .before = deed.before,
            .after = deed.after};
}

TrailLedger::Entry to_entry(TrailEntryRow row) {
    return {.deed = to_deed(std::move(row.deed)),
            .actor_name = std::move(row.actor_name).value_or("")};
}

}  // namespace sluice
