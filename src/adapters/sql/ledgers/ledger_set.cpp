#include "adapters/sql/ledgers/ledger_set.hpp"

#include "adapters/sql/ledgers/group_intake.hpp"
#include "adapters/sql/ledgers/tickets.hpp"

namespace sluice::ledgers {

std::unique_ptr<OrderIntake> LedgerSet::open_intake(const Clock& clock, IdSource& ids,
                                                    const IntakeOptions& options) {
    return std::make_unique<GroupIntake>(engine_.writer, desk(clock, ids), options);
}

std::unique_ptr<TicketLedger> LedgerSet::open_tickets(const Clock& clock, IdSource& ids,
                                                      std::function<void(Timestamp)> on_hold) {
    return std::make_unique<Tickets>(engine_.writer, engine_.readers, engine_.returns,
                                     desk(clock, ids), engine_.prepare_tickets, std::move(on_hold));
}

}  // namespace sluice::ledgers
