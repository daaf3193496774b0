#include "adapters/sqlite/ledgers/stats.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "adapters/sqlite/engine/statements.hpp"

namespace sluice::sqlite {
namespace {

using Refusals = std::map<std::string, std::int64_t>;

std::string to_text(const Refusals& refusals) {
    boost::json::object json;
    for (const auto& [code, count] : refusals) json[code] = count;
    return boost::json::serialize(json);
}

Refusals parse_refusals(const std::string& text) {
    Refusals refusals;
    const auto json = boost::json::parse(text);
    for (const auto& [code, count] : json.as_object()) refusals.emplace(code, count.as_int64());
    return refusals;
}

OrderTally read_tally(const Statement& row, int first) {
    return {.orders = row.column<std::int64_t>(first),
            .paid = row.column<std::int64_t>(first + 1),
            .expired = row.column<std::int64_t>(first + 2)};
}

/// From the first nine columns.
Funnel read_funnel(const Statement& row) {
    Funnel funnel;
    funnel.visits = row.column<std::int64_t>(0);
    funnel.challenges = row.column<std::int64_t>(1);
    funnel.passes = row.column<std::int64_t>(2);
    funnel.attempts = row.column<std::int64_t>(3);
    funnel.claims = row.column<std::int64_t>(4);
    funnel.refusals = parse_refusals(row.column<std::string>(5));
    funnel.orders = read_tally(row, 6);
    return funnel;
}

Stock read_stock(const Statement& row, int first) {
    return {.total = row.column<std::int64_t>(first),
            .left = row.column<std::int64_t>(first + 1),
            .held = row.column<std::int64_t>(first + 2),
            .sold = row.column<std::int64_t>(first + 3)};
}

SaleTally find_tally(Database& database, SaleId sale) {
    auto row = database.query(sql::find_tally, sale);
    if (!row.step()) return {};
    return {.orders = read_tally(row, 0), .stock = read_stock(row, 3)};
}

std::chrono::microseconds microseconds(const Statement& row, int column) {
    return std::chrono::microseconds{row.column<std::int64_t>(column)};
}

StatsPoint read_point(const Statement& row, SaleId sale) {
    return {.sale = sale,
            .at = row.column<Timestamp>(18),
            .funnel = read_funnel(row),
            .stock = read_stock(row, 9),
            .backlog = row.column<std::int64_t>(13),
            .latency = {.p50 = microseconds(row, 14),
                        .p90 = microseconds(row, 15),
                        .p99 = microseconds(row, 16),
                        .p999 = microseconds(row, 17)}};
}

void put_point(Database& database, Resolution resolution, const StatsPoint& point) {
    const auto& [sale, at, funnel, stock, backlog, latency] = point;
    database.run(sql::put_point, length_of(resolution).count(), sale, at, funnel.visits,
                 funnel.challenges, funnel.passes, funnel.attempts, funnel.claims,
                 to_text(funnel.refusals), funnel.orders.orders, funnel.orders.paid,
                 funnel.orders.expired, stock.total, stock.left, stock.held, stock.sold, backlog,
                 latency.p50.count(), latency.p90.count(), latency.p99.count(),
                 latency.p999.count());
}

}  // namespace

Task<Funnel> Stats::totals(SaleId sale) {
    return readers_.read<Funnel>([sale](Database& database) {
        auto row = database.query(sql::find_funnel, sale);
        return row.step() ? read_funnel(row) : Funnel{};
    });
}

Task<std::vector<SaleTally>> Stats::tallies(std::vector<SaleId> sales) {
    return readers_.read<std::vector<SaleTally>>([sales = std::move(sales)](Database& database) {
        std::vector<SaleTally> tallies;
        for (const auto sale : sales) tallies.push_back(find_tally(database, sale));
        return tallies;
    });
}

Task<Done> Stats::add_points(Points points) {
    return writer_.write<Done>([points = std::move(points)](Database& database) {
        for (const auto& point : points.points) put_point(database, points.resolution, point);
        return Done{};
    });
}

Task<Done> Stats::put_totals(std::vector<std::pair<SaleId, Funnel>> totals) {
    return writer_.write<Done>([totals = std::move(totals)](Database& database) {
        for (const auto& [sale, funnel] : totals)
            database.run(sql::put_funnel, sale, funnel.visits, funnel.challenges, funnel.passes,
                         funnel.attempts, funnel.claims, to_text(funnel.refusals),
                         funnel.orders.orders, funnel.orders.paid, funnel.orders.expired);
        return Done{};
    });
}

Task<std::vector<StatsPoint>> Stats::history(Stretch stretch, std::size_t limit) {
    return readers_.read<std::vector<StatsPoint>>([stretch, limit](Database& database) {
        std::vector<StatsPoint> points;
        auto rows = database.query(sql::list_points, length_of(stretch.resolution).count(),
                                   stretch.sale, stretch.from, stretch.to, limit);
        while (rows.step()) points.push_back(read_point(rows, stretch.sale));
        return points;
    });
}

Task<std::size_t> Stats::prune(Resolution resolution, Timestamp before, std::size_t limit) {
    return writer_.write<std::size_t>([resolution, before, limit](Database& database) {
        return database.run(sql::prune_points, length_of(resolution).count(), before, limit);
    });
}

}  // namespace sluice::sqlite
