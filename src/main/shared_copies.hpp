#pragma once

#include "adapters/mariadb/ledger.hpp"
#include "adapters/system/system_random.hpp"
#include "base/id_source.hpp"
#include "main/redis_access.hpp"
#include "ports/clock.hpp"
#include "workers/hand_off_audit.hpp"
#include "workers/hot_copy_audit.hpp"

namespace sluice {

/// Compares with the ledger the hot copies that several servers share, and the tickets that were
/// handed off, and repairs them. For a command; the servers may run, and may sell.
class SharedCopies {
  public:
    /// Needs ledger.kind mariadb and hot.kind redis. Throws Outage when the ledger is away.
    SharedCopies(const Config& config, const Clock& clock);

    /// For one sale or for all. Throws Outage when Redis or the ledger does not answer, and
    /// Overload when so much is under way that it cannot be read.
    std::vector<HotCopyVerdict> look(std::optional<SaleId> sale);

    /// Fills the copy anew under a new epoch, and writes the deed. False when another process is
    /// filling it.
    bool repair(const HotCopyVerdict& verdict);

    /// Where the handed-off tickets of one sale or of all are. Throws as look() does.
    HandOffs look_at_hand_offs(std::optional<SaleId> sale);
    /// Notes lost tickets as prepared, for a running writer to decide, and writes the deeds. A lost
    /// ticket that turns up later is decided only once all the same. Returns those that cannot be
    /// noted.
    std::vector<Ticket> prepare(std::vector<Ticket> lost);

  private:
    std::set<SaleId> live_sales();
    void write_deed(const char* action, const std::string& subject, const std::string& before,
                    const std::string& after);

    const Clock& clock_;
    mariadb::Ledger ledger_;
    RedisAccess redis_;
    HotCopyAudit audit_;
    HandOffAudit hand_offs_;
    SystemRandom random_;
    IdSource ids_;
};

}  // namespace sluice
