#include "adapters/sql/ledgers/order_list.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "adapters/sql/ledgers/archive.hpp"
#include "adapters/sql/ledgers/deliveries.hpp"
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

/// Read by an index of deliveries. Otherwise all orders are read that fit the other filters.
bool is_led_by_delivery(const Wanted& wanted) {
    return wanted.delivery != OrderDeliveryState::none && !wanted.buyer && !wanted.buyers &&
           !wanted.money;
}

std::vector<OrderId> list_in_delivery(Database& ledger, const Wanted& wanted) {
    const auto [from, below] = stretch_of(wanted);
    if (!wanted.sale)
        return ledger
            .rows<OrderId>(sql::page_of_delivery, from, below, wanted.limit, *wanted.delivery)
            .to_vector();
    return ledger
        .rows<OrderId>(sql::page_of_delivery_in_sale, from, below, wanted.limit, *wanted.delivery,
                       *wanted.sale)
        .to_vector();
}

/// A delivery in the ledger may be of an order that is in the archive.
void keep_known(Database& database, const Wanted& wanted, std::vector<OrderId>& orders) {
    std::erase_if(orders, [&](OrderId id) {
        const auto order = find_order(database, id, std::nullopt);
        return !order || (wanted.state && order->state != *wanted.state);
    });
}

void keep_in_delivery(Database& ledger, const Wanted& wanted, std::vector<OrderId>& orders) {
    if (orders.empty()) return;
    using State = OrderDeliveryState;
    std::map<OrderId, State> states;
    for (const auto& [id, state] : ledger.rows<std::tuple<OrderId, State>>(
             sql::list_delivery_states, orders.back(), orders.front(), wanted.sale))
        states.emplace(id, state);
    std::erase_if(orders, [&](OrderId id) {
        const auto state = states.find(id);
        return (state == states.end() ? State::none : state->second) != *wanted.delivery;
    });
}

/// Goes through the orders in stretches until the page is full.
std::vector<OrderId> find_page_in_delivery(Database& database, Wanted wanted, Database& ledger) {
    constexpr std::size_t kStretch = 500;
    if (wanted.delivery == OrderDeliveryState::none) {
        if (wanted.state.value_or(OrderState::paid) != OrderState::paid) return {};
        wanted.state = OrderState::paid;
    }
    const auto limit = wanted.limit;
    const bool led = is_led_by_delivery(wanted);
    if (!led) wanted.limit = std::max(limit, kStretch);
    std::vector<OrderId> found;
    for (bool more = true; more && found.size() < limit;) {
        auto some = led ? list_in_delivery(ledger, wanted) : find_page(database, wanted);
        more = some.size() >= wanted.limit;
        if (!some.empty()) wanted.before = some.back();
        if (led)
            keep_known(database, wanted, some);
        else
            keep_in_delivery(ledger, wanted, some);
        found.insert(found.end(), some.begin(), some.end());
    }
    if (found.size() > limit) found.resize(limit);
    return found;
}

/// Users and deliveries are only in the ledger, also when the order is archived.
OrderList::Row read_row(Database& database, OrderId id, Database& ledger) {
    auto order = find_order(database, id, std::nullopt);
    CHECK(order.has_value(), "the page was read from the same instant");
    auto buyer =
        ledger.row<std::tuple<std::string, std::string>>(sql::find_buyer_of_order, order->buyer);
    OrderList::Row row{std::move(*order), {}, {}, find_delivery(ledger, id)};
    if (buyer) std::tie(row.buyer_phone, row.buyer_name) = std::move(*buyer);
    return row;
}

std::vector<OrderList::Row> read_page(Database& database, const Wanted& wanted, Database& ledger) {
    const auto page = wanted.delivery ? find_page_in_delivery(database, wanted, ledger)
                                      : find_page(database, wanted);
    std::vector<OrderList::Row> rows;
    for (const auto id : page) rows.push_back(read_row(database, id, ledger));
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
