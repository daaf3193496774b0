#pragma once

#include "adapters/mariadb/ledger.hpp"
#include "main/redis_access.hpp"
#include "ports/clock.hpp"
#include "workers/hot_copy_audit.hpp"

namespace sluice {

/// The hot copies that several servers share, compared with the ledger and repaired by a command.
/// The servers may run, and may sell.
class SharedCopies {
  public:
    /// Needs ledger.kind mariadb and hot.kind redis. Throws Outage when the ledger is away.
    SharedCopies(const Config& config, const Clock& clock);

    /// Of one sale or of all. Throws Outage when Redis or the ledger does not answer, and Overload
    /// when so much is under way that it cannot be read.
    std::vector<HotCopyVerdict> look(std::optional<SaleId> sale);

    /// Fills the copy anew under a new epoch, and writes the deed. False when another process fills
    /// it at the moment.
    bool repair(const HotCopyVerdict& verdict);

  private:
    std::set<SaleId> live_sales();

    const Clock& clock_;
    mariadb::Ledger ledger_;
    RedisAccess redis_;
    HotCopyAudit audit_;
};

}  // namespace sluice
