#pragma once

#include "adapters/sql/ledgers/engine.hpp"
#include "ports/block_ledger.hpp"

namespace sluice::ledgers {

class Blocks final : public BlockLedger {
  public:
    Blocks(Writer& writer, Readers& readers) : writer_(writer), readers_(readers) {}

    Task<std::vector<Block>> load(Timestamp now) override;
    Task<Outcome<Done>> put(Block block, std::optional<Block> before, Deed deed) override;
    Task<Outcome<Done>> remove(Block block, Deed deed) override;

  private:
    Writer& writer_;
    Readers& readers_;
};

}  // namespace sluice::ledgers
