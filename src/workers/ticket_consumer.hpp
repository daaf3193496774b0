#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "app/purchase/claim_settler.hpp"
#include "ports/clock.hpp"
#include "ports/parked_ledger.hpp"
#include "ports/ticket_ledger.hpp"
#include "ports/ticket_source.hpp"

namespace sluice {

/// Decides tickets that others have handed off: takes a batch from its source, writes it in one
/// transaction, then settles and releases its claims. Several consumers may run at once, on the
/// same tickets too.
class TicketConsumer {
  public:
    static constexpr std::size_t kBatch = 512;

    using OnFailure = std::function<void(const Ticket&, std::string_view reason)>;
    /// The table of parked tickets.
    struct Parking {
        ParkedLedger& table;
        const Clock& clock;
    };
    /// `on_failure`: called for a ticket that cannot be written, since its rows do not fit
    /// together. Must not block or throw. Such a ticket is parked in the table, where operators
    /// find it. If there is no table, or it cannot be reached, the source parks the ticket.
    TicketConsumer(TicketSource& source, TicketLedger& ledger, ClaimSettler& settler,
                   OnFailure on_failure, std::optional<Parking> parking = std::nullopt)
        : source_(source),
          ledger_(ledger),
          settler_(settler),
          on_failure_(std::move(on_failure)),
          parking_(std::move(parking)) {}

    /// Writes what the source has, until it has nothing. A batch is acknowledged after its commit:
    /// after a crash in between it is delivered again, and its outcomes stand; after a crash later
    /// the reaper settles the claims. A ticket that cannot be written is parked alone.
    ///
    /// May throw Outage: then what was taken is given back, for writers whose ledger can be
    /// reached, and the next call takes nothing before the ledger answers. It also throws Outage
    /// when a ticket can be neither written nor parked: then its message is given back. May throw
    /// Overload: then what was taken is kept, and the next call writes it before it takes more.
    Task<> consume();

  private:
    struct Failed {
        Ticket ticket;
        std::string reason;
    };
    Task<std::vector<Failed>> write_or_give_back(std::vector<Ticket> tickets,
                                                 std::vector<ClaimSettler::Decided>& decided);
    Task<std::vector<Failed>> write(std::vector<Ticket> tickets,
                                    std::vector<ClaimSettler::Decided>& decided);
    Task<bool> lay_aside(Failed failed);
    Task<std::vector<TicketLedger::Written>> write_until_known(std::vector<Ticket> tickets);

    TicketSource& source_;
    TicketLedger& ledger_;
    ClaimSettler& settler_;
    const OnFailure on_failure_;
    const std::optional<Parking> parking_;
    bool is_ledger_away_ = false;                // when the ledger was last asked
    std::vector<TicketSource::Delivery> taken_;  // and not yet acknowledged
};

}  // namespace sluice
