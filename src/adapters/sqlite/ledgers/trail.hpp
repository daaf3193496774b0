#pragma once

#include "adapters/sqlite/engine/reader_pool.hpp"
#include "adapters/sqlite/engine/writer.hpp"
#include "ports/trail_ledger.hpp"

namespace sluice::sqlite {

class Trail final : public TrailLedger {
  public:
    Trail(Writer& writer, ReaderPool& readers) : writer_(writer), readers_(readers) {}

    Task<std::vector<Entry>> list(std::optional<DeedId> before, std::size_t limit) override;
    Task<Done> add(Deed deed) override;

  private:
    Writer& writer_;
    ReaderPool& readers_;
};

/// Inside the write that carries the deed out.
void add_deed(Database&, const Deed&);

}  // namespace sluice::sqlite
