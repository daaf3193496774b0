#pragma once

#include "adapters/sqlite/engine/reader_pool.hpp"
#include "adapters/sqlite/engine/writer.hpp"
#include "ports/stats_ledger.hpp"

namespace sluice::sqlite {

class Stats final : public StatsLedger {
  public:
    Stats(Writer& writer, ReaderPool& readers) : writer_(writer), readers_(readers) {}

    Task<Funnel> totals(SaleId sale) override;
    Task<std::vector<SaleTally>> tallies(std::vector<SaleId> sales) override;
    Task<Done> add_points(Points points) override;
    Task<Done> put_totals(std::vector<std::pair<SaleId, Funnel>> totals) override;
    Task<std::vector<StatsPoint>> history(Stretch stretch, std::size_t limit) override;
    Task<std::size_t> prune(Resolution resolution, Timestamp before, std::size_t limit) override;

  private:
    Writer& writer_;
    ReaderPool& readers_;
};

}  // namespace sluice::sqlite
