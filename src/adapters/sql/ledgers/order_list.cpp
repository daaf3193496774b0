#include "adapters/sql/ledgers/order_list.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "adapters/sql/ledgers/archive.hpp"
#include "adapters/sql/ledgers/holds.hpp"
#include "adapters/sql/ledgers/orders.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "base/check.hpp"
#include "base/id_source.hpp"

namespace sluice::ledgers {
namespace {

using Wanted = OrderList::Wanted;

/// Ids contain the instant at which they were made, so a period is a range of ids.
struct Stretch {
    OrderId from;
    OrderId below;
};

Stretch stretch_of(const Wanted& wanted) {
    Stretch stretch{OrderId{1}, OrderId{std::numeric_limits<std::int64_t>::max()}};
    if (wanted.from) stretch.from.value = IdSource::first_at(*wanted.from);
    if (wanted.until) stretch.below.value = IdSource::first_at(*wanted.until);
    if (wanted.before) stretch.below = std::min(stretch.below, *wanted.before);
    return stretch;
}

/// Each of these queries reads an index that is in the order of the page.
sql::Rows<OrderId> query_page(Database& database, const Wanted& wanted) {
    const auto [from, below] = stretch_of(wanted);
    const auto& limit = wanted.limit;
    const auto& state = wanted.state;
    if (wanted.money == OrderMoney::owed)
        return database.rows<OrderId>(sql::page_of_owed, from, below, limit, wanted.buyer,
                                      wanted.sale, state);
    if (wanted.money)
        return database.rows<OrderId>(sql::page_of_money, from, below, limit, wanted.buyer,
                                      wanted.sale, state, to_string(*wanted.money));
    if (wanted.buyer)
        return database.rows<OrderId>(sql::page_of_buyer, from, below, limit, *wanted.buyer,
                                      wanted.sale, state);
    if (wanted.sale && state)
        return database.rows<OrderId>(sql::page_of_sale_in_state, from, below, limit, *wanted.sale,
                                      *state);
    if (wanted.sale)
        return database.rows<OrderId>(sql::page_of_sale, from, below, limit, *wanted.sale);
    if (state == OrderState::pending)
        return database.rows<OrderId>(sql::page_of_pending, from, below, limit);
    if (state) return database.rows<OrderId>(sql::page_of_outcome, from, below, limit, *state);
    return database.rows<OrderId>(sql::page_of_orders, from, below, limit);
}

/// Merged from the pages of all buyers.
std::vector<OrderId> find_page_of_buyers(Database& database, Wanted wanted) {
    CHECK(wanted.buyers->size() <= OrderList::kMostBuyers, "a list is of so many buyers at most");
    const auto asked_for = wanted.buyer;
    std::vector<OrderId> found;
    for (const auto buyer : *wanted.buyers) {
        if (asked_for && *asked_for != buyer) continue;
        wanted.buyer = buyer;
        for (const auto id : query_page(database, wanted)) found.push_back(id);
    }
    std::ranges::sort(found, std::ranges::greater{});
    if (found.size() > wanted.limit) found.resize(wanted.limit);
    return found;
}

std::vector<OrderId> find_page(Database& database, const Wanted& wanted) {
    if (wanted.buyers) return find_page_of_buyers(database, wanted);
    return query_page(database, wanted).to_vector();
}

/// Users are only in the ledger, also when the order is archived.
OrderList::Row read_row(Database& database, OrderId id, Database& users) {
    auto order = find_order(database, id, std::nullopt);
    CHECK(order.has_value(), "the page was read from the same instant");
    auto buyer =
        users.row<std::tuple<std::string, std::string>>(sql::find_buyer_of_order, order->buyer);
    OrderList::Row row{std::move(*order), {}, {}};
    if (buyer) std::tie(row.buyer_phone, row.buyer_name) = std::move(*buyer);
    return row;
}

std::vector<OrderList::Row> read_page(Database& database, const Wanted& wanted, Database& users) {
    std::vector<OrderList::Row> rows;
    for (const auto id : find_page(database, wanted)) rows.push_back(read_row(database, id, users));
    return rows;
}

}  // namespace

Task<std::vector<OrderList::Row>> AnyOrders::list(Wanted wanted) {
    return readers_.read<std::vector<Row>>([wanted](Database& database) {
        return list_in_both(
            database, Sought{.from = stretch_of(wanted).from, .sale = wanted.sale}, wanted.limit,
            [&](Database& one) { return read_page(one, wanted, database); },
            [](const Row& row) { return row.order.id; });
    });
}

Task<HoldsOfSale> AnyOrders::holds(SaleId sale, Timestamp now) {
    return readers_.read<HoldsOfSale>(
        [sale, now](Database& database) { return read_holds(database, sale, now); });
}

}  // namespace sluice::ledgers
