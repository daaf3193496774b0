#pragma once

#include "adapters/mariadb/ledger.hpp"
#include "adapters/system/system_random.hpp"
#include "base/id_source.hpp"
#include "main/redis_access.hpp"
#include "ports/clock.hpp"
#include "workers/hand_off_audit.hpp"
#include "workers/hot_copy_audit.hpp"

namespace sluice {

/// The hot copies that several servers share, and the tickets that they have handed off, compared
/// with the ledger and repaired by a command. The servers may run, and may sell.
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

    /// Where the tickets are that were handed off, of one sale or of all. Throws as look() does.
    HandOffs look_at_hand_offs(std::optional<SaleId> sale);
    /// Notes lost tickets as prepared, for a running writer to decide, and writes the deeds. Those
    /// that turn up later are decided once all the same. Those that cannot be noted.
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
