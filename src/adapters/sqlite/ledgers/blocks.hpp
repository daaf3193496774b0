#pragma once

#include "adapters/sqlite/engine/reader_pool.hpp"
#include "adapters/sqlite/engine/writer.hpp"
#include "ports/block_ledger.hpp"

namespace sluice::sqlite {

class Blocks final : public BlockLedger {
  public:
    Blocks(Writer& writer, ReaderPool& readers) : writer_(writer), readers_(readers) {}

    Task<std::vector<Block>> load(Timestamp now) override;
    Task<Outcome<Done>> put(Block block, std::optional<Block> before, Deed deed) override;
    Task<Outcome<Done>> remove(Block block, Deed deed) override;

  private:
    Writer& writer_;
    ReaderPool& readers_;
};

}  // namespace sluice::sqlite
