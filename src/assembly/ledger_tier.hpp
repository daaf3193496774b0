#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "api/office/machine_room.hpp"
#include "assembly/keeper.hpp"
#include "base/timestamp.hpp"
#include "observe/metrics.hpp"
#include "ports/auditor.hpp"
#include "ports/ledgers.hpp"

namespace sluice {

/// The system of record with everything that looks after it: audit, backups, archive. One
/// implementation for each mode.
class LedgerTier {
  public:
    virtual ~LedgerTier() = default;

    virtual Ledgers& ledgers() = 0;
    virtual Auditor& auditor() = 0;
    /// The number of this server among those on this ledger; 0 where there can be only one.
    virtual std::int64_t node() const = 0;

    /// What was missing at the start although it had been promised. Then no sale opens.
    virtual const std::optional<std::string>& loss() const = 0;

    /// False while this server's time differs from that of other servers on this ledger: then it
    /// must not decide that a hold is over. From any thread.
    virtual bool is_time_proven() const = 0;

    struct Backups {
        std::chrono::seconds every;
        std::optional<Timestamp> newest;  // when the newest proven backup was begun
    };
    /// nullopt: this server takes none. From any thread.
    virtual std::optional<Backups> backups() const = 0;

    virtual void employ(Keeper& keeper) = 0;
    virtual void add_metrics(MetricsPage& metrics) const = 0;
    /// From any thread.
    virtual std::vector<api::PartHealth> health() const = 0;
};

inline api::PartHealth health_of(const LedgerHealth& ledger) {
    if (ledger.ok) return {"ledger", true, {}};
    return {"ledger", false, {{NoticeRule::ledger_fails, ledger.detail}}};
}

}  // namespace sluice
