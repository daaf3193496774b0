#pragma once

#include "adapters/sql/ledgers/engine.hpp"
#include "domain/notice.hpp"
#include "ports/trail_ledger.hpp"

namespace sluice::ledgers {

class Trail final : public TrailLedger {
  public:
    Trail(Writer& writer, Readers& readers) : writer_(writer), readers_(readers) {}

    Task<std::vector<Entry>> list(Wanted wanted, std::size_t limit) override;
    Task<Done> add(Deed deed) override;

  private:
    Writer& writer_;
    Readers& readers_;
};

/// Inside the transaction of the change.
void add_deed(Database&, const Deed&);

/// What breaks the chain of the deeds, as TrailWalk reports it.
std::vector<Notice> broken_links(Database& database);

}  // namespace sluice::ledgers
