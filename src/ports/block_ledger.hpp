#pragma once

#include <optional>
#include <vector>

#include "base/task.hpp"
#include "domain/block.hpp"
#include "domain/deed.hpp"

namespace sluice {

/// The system of record for blocks. Each change writes its deed in the same transaction. May throw
/// Outage, as UserLedger.
class BlockLedger {
  public:
    virtual ~BlockLedger() = default;

    /// Those that hold at `now`, the newest first.
    virtual Task<std::vector<Block>> load(Timestamp now) = 0;

    /// Replaces `before`, the block that the subject had at `block.at`. Refuses with conflict when
    /// the subject has another one by now or kMostBlocks hold already, and with not_found when
    /// there is no such buyer.
    virtual Task<Outcome<Done>> put(Block block, std::optional<Block> before, Deed deed) = 0;

    /// Refuses with conflict when this is not the subject's block any more.
    virtual Task<Outcome<Done>> remove(Block block, Deed deed) = 0;
};

}  // namespace sluice
