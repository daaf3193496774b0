#pragma once

#include "adapters/sqlite/reader_pool.hpp"
#include "ports/trail_ledger.hpp"

namespace sluice::sqlite {

class Trail final : public TrailLedger {
  public:
    explicit Trail(ReaderPool& readers) : readers_(readers) {}

    Task<std::vector<Entry>> list(std::optional<DeedId> before, std::size_t limit) override;

  private:
    ReaderPool& readers_;
};

/// Inside the write that carries the deed out.
void add_deed(Database&, const Deed&);

}  // namespace sluice::sqlite
