#include "adapters/sql/ledgers/ways_back.hpp"

#include <map>
#include <stdexcept>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "adapters/sql/ledgers/catalog.hpp"
#include "adapters/sql/ledgers/hot_outbox.hpp"
#include "adapters/sql/ledgers/orders.hpp"
#include "adapters/sql/order_rows.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "base/check.hpp"
#include "domain/hot_copy_rules.hpp"
#include "domain/order_rules.hpp"

namespace sluice::ledgers {
namespace {

Sale sale_of(Database& database, SaleId id) {
    auto sale = find_sale(database, id);
    if (!sale)
        throw std::logic_error("sale " + id.text() + " of an order is not there; run sluice audit");
    return std::move(*sale);
}

/// How many units of each sale can still be returned; 0 for a sale that does not exist.
class HeldUnits {
  public:
    explicit HeldUnits(Database& database) : database_(database) {}

    std::int64_t& of(SaleId id) {
        const auto known = held_.find(id);
        if (known != held_.end()) return known->second;
        const auto sale = find_sale(database_, id);
        return held_[id] = sale ? sale->stock.held : 0;
    }

  private:
    Database& database_;
    std::map<SaleId, std::int64_t> held_;
};

}  // namespace

OrderLedger::GivenBack give_back(Database& database, Order order, OrderState to, Timestamp now,
                                 News& news) {
    CHECK(may_become(order.state, to), "the caller has looked");
    const bool sold = order.state == OrderState::paid;
    const bool done =
        database.run(sql::change_order, order.id, order.state, to) == 1 &&
        database.run(sold ? sql::return_sold : sql::return_held, order.sale_id, order.quantity) ==
            1 &&
        database.run(sql::lower_holding, order.sale_id, order.buyer, order.quantity) == 1;
    if (!done)
        throw std::logic_error("the units of order " + order.id.text() +
                               " are not where they should be; run sluice audit");
    order.state = to;
    add_hot_change(database, order.sale_id, hot_change_for_return(order.buyer, order.quantity),
                   now);
    news.note(sale_of(database, order.sale_id));
    if (news.wants(order.buyer)) news.note(BuyerNews{order.buyer, order});
    return {.order = std::move(order), .fresh = true};
}

OrderLedger::Expired expire_orders(Database& database, Timestamp now, std::size_t limit,
                                   OrderLedger::DuePlace after, News& news) {
    const auto due =
        database.rows<DueOrderRow>(sql::list_due, now, limit, after.at, after.order).to_vector();
    OrderLedger::Expired expired;
    expired.last = due.empty() ? after : OrderLedger::DuePlace{due.back().at, due.back().id};
    HeldUnits held(database);
    std::map<SaleId, std::int64_t> returned;
    std::vector<OrderId> wanted;
    boost::json::array ids;
    auto lower_holding = database.repeat(sql::lower_holding);
    HotOutboxWriter outbox(database, now);
    for (const auto& order : due) {
        // One order or sale that somebody has tampered with must not prevent all others from
        // expiring.
        auto& units = held.of(order.sale);
        if (!can_expire(order.quantity, units) ||
            lower_holding.run(order.sale, order.buyer, order.quantity) != 1) {
            expired.stuck.push_back(order.id);
            continue;
        }
        ids.emplace_back(order.id.value);
        units -= order.quantity;
        returned[order.sale] += order.quantity;
        if (news.wants(order.buyer)) wanted.push_back(order.id);
        outbox.add(order.sale, hot_change_for_return(order.buyer, order.quantity));
        ++expired.orders;
    }
    CHECK(database.run(sql::expire_orders, boost::json::serialize(ids)) == ids.size(),
          "they were pending just now, and nobody else writes");
    outbox.finish();
    for (const auto& [sale, units] : returned)
        CHECK(database.run(sql::return_held, sale, units) == 1, "an order refers to its sale");
    for (const auto& [sale, units] : returned) {
        news.note(sale_of(database, sale));
        expired.sales.push_back(sale);
    }
    for (const auto id : wanted)
        if (auto order = find_order(database, id, std::nullopt))
            news.note(BuyerNews{order->buyer, std::move(*order)});
    return expired;
}

std::optional<Timestamp> find_next_due(Database& database, OrderLedger::DuePlace after) {
    return database.row<Timestamp>(sql::next_due, after.at, after.order);
}

}  // namespace sluice::ledgers
