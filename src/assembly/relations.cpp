// Limits of different parts that have to fit together. The reason for each limit stands in its own
// part. Those of adapters are in main/relations.cpp, those between values of the configuration in
// config/relations.cpp, and those within one part stand in that part.

#include "app/purchase/admission.hpp"
#include "app/purchase/prepared_tickets.hpp"
#include "config/config.hpp"
#include "ports/entry_desk.hpp"
#include "workers/claim_reaper.hpp"
#include "workers/hot_copy_keeper.hpp"
#include "workers/ticket_consumer.hpp"

namespace sluice {

// A hot copy is dropped only when no pass of its sale is valid any more and no claim is open.
static_assert(HotCopyKeeper::kKeptAfterEnd > EntryDesk::kLifetime);
static_assert(HotCopyKeeper::kKeptAfterEnd > ClaimReaper::kPatience);

// The reaper fences no ticket whose hand-off still waits for its turn: at most once for the
// ledger's lock in the batch before, and once in its own batch.
static_assert(ClaimReaper::kPatience >= 2 * OrderIntake::kLongestWait);

static_assert(IntakeOptions::kBacklog >= OrderIntake::kLeastSlots);
static_assert(TicketConsumer::kBatch <= OrderIntake::kLeastSlots);
// No configuration gives fewer slots than admission counts on.
static_assert(Config::Ledger::kLeastBacklog >= OrderIntake::kLeastSlots);

// Even if a whole batch of prepared tickets cannot be written, the consumer goes on with those
// behind it.
static_assert(PreparedTickets::kMostParked > TicketConsumer::kBatch);

}  // namespace sluice
