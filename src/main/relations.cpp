// Limits of adapters that have to fit together with those of other parts. The rest of them is in
// assembly/relations.cpp, which sees no ledger and no hot copy.

#include "adapters/mariadb/engine/connection.hpp"
#include "adapters/memory/memory_stock_gate.hpp"
#include "adapters/sqlite/engine/connection.hpp"
#include "ports/order_intake.hpp"
#include "workers/claim_reaper.hpp"
#include "workers/hot_copy_keeper.hpp"

namespace sluice {

// A ticket counts as done for longer than its claim may be open and its copy may be kept.
static_assert(MemoryStockGate::kMemory > HotCopyKeeper::kKeptAfterEnd + ClaimReaper::kPatience);

// A hand-off waits no longer for a file that is locked, or for a server that is silent.
static_assert(std::chrono::milliseconds{sqlite::kBusyTimeoutMs} <= OrderIntake::kLongestWait);
static_assert(mariadb::Patience{}.answer + mariadb::Patience{}.connect <=
              OrderIntake::kLongestWait);

}  // namespace sluice
