#include "adapters/sql/ledgers/stats.hpp"

#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "adapters/sql/stats_rows.hpp"

namespace sluice::ledgers {

Task<std::vector<NodeTotals>> Stats::totals(std::vector<SaleId> sales) {
    return readers_.read<std::vector<NodeTotals>>([sales = std::move(sales)](Database& database) {
        std::vector<NodeTotals> totals;
        for (const auto sale : sales)
            for (const auto& row : database.rows<NodeTotalsRow>(sql::list_totals, sale))
                totals.push_back(to_totals(row));
        return totals;
    });
}

Task<std::vector<SaleTally>> Stats::tallies(std::vector<SaleId> sales) {
    return readers_.read<std::vector<SaleTally>>([sales = std::move(sales)](Database& database) {
        std::vector<SaleTally> tallies;
        for (const auto sale : sales)
            tallies.push_back(to_tally(
                database.row<SaleTallyRow>(sql::find_tally, sale).value_or(SaleTallyRow{})));
        return tallies;
    });
}

Task<Done> Stats::add_points(Points points) {
    return writer_.write<Done>([points = std::move(points)](Database& database) {
        for (const auto& point : points.points)
            database.run(sql::put_point, length_of(points.resolution).count(), to_row(point));
        return Done{};
    });
}

Task<Done> Stats::put_totals(std::vector<NodeTotals> totals) {
    return writer_.write<Done>([totals = std::move(totals)](Database& database) {
        for (const auto& each : totals) database.run(sql::put_totals, to_row(each));
        return Done{};
    });
}

Task<std::vector<StatsPoint>> Stats::history(Stretch stretch, std::size_t limit) {
    return readers_.read<std::vector<StatsPoint>>([stretch, limit](Database& database) {
        return database
            .rows<StatsPointRow>(sql::list_points, length_of(stretch.resolution).count(),
                                 stretch.sale, stretch.from, stretch.to, limit)
            .to_vector(to_point);
    });
}

Task<std::size_t> Stats::prune(Resolution resolution, Timestamp before, std::size_t limit) {
    return writer_.write<std::size_t>([resolution, before, limit](Database& database) {
        return database.run(sql::prune_points, length_of(resolution).count(), before, limit);
    });
}

}  // namespace sluice::ledgers
