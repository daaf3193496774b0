#pragma once

#include "adapters/sql/ledgers/engine.hpp"
#include "ports/stats_ledger.hpp"

namespace sluice::ledgers {

class Stats final : public StatsLedger {
  public:
    Stats(Writer& writer, Readers& readers) : writer_(writer), readers_(readers) {}

    Task<std::vector<NodeTotals>> totals(std::vector<SaleId> sales) override;
    Task<std::vector<SaleTally>> tallies(std::vector<SaleId> sales) override;
    Task<Done> add_points(Points points) override;
    Task<Done> put_totals(std::vector<NodeTotals> totals) override;
    Task<std::vector<StatsPoint>> history(Stretch stretch, std::size_t limit) override;
    Task<std::size_t> prune(Resolution resolution, Timestamp before, std::size_t limit) override;

  private:
    Writer& writer_;
    Readers& readers_;
};

}  // namespace sluice::ledgers
