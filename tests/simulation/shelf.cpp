#include "simulation/shelf.hpp"

#include <algorithm>
#include <tuple>

#include "adapters/sql/ledgers/catalog.hpp"
#include "adapters/sql/ledgers/orders.hpp"
#include "adapters/sql/order_rows.hpp"
#include "adapters/sql/rows.hpp"

namespace sluice::simulation {
namespace {

using sqlite::Database;

void read_journal(Database& database, Shelf& shelf) {
    for (const auto& row : database.rows<JournalRow>(
             "SELECT buyer_id, sale_id, mark, quantity, epoch, state, reason, order_id, pass, key, "
             "claimed_at, same_as FROM journal"))
        shelf.journal.push_back({to_record(row), row.buyer});
}

void read_orders(Database& database, Shelf& shelf) {
    for (const auto id : database.rows<OrderId>("SELECT id FROM orders"))
        shelf.orders.emplace(id, ledgers::find_order(database, id, std::nullopt).value());
}

void read_holdings(Database& database, Shelf& shelf) {
    for (const auto& [sale, buyer, units] : database.rows<std::tuple<SaleId, UserId, std::int64_t>>(
             "SELECT sale_id, buyer_id, units FROM holdings"))
        shelf.holdings[{sale, buyer}] = units;
}

void read_money(Database& database, Shelf& shelf) {
    for (auto& [order, charge, captures, owed] :
         database.rows<std::tuple<OrderId, std::string, bool, bool>>(
             "SELECT charges.order_id, provider_ref, captures, charge_id IS NOT NULL FROM charges "
             "LEFT JOIN refunds ON charge_id = id"))
        shelf.money.push_back({order, std::move(charge), captures, owed});
}

void read_deeds(Database& database, Shelf& shelf) {
    for (auto& [id, action, request] : database.rows<std::tuple<DeedId, std::string, std::string>>(
             "SELECT id, action, request_id FROM audit_trail"))
        shelf.deeds[id] = {std::move(action), std::move(request)};
}

}  // namespace

Shelf Shelf::read(Store& store) {
    return store.read([](Database& database) {
        Shelf shelf;
        for (auto& sale : ledgers::load_contents(database).sales) shelf.sales[sale.id] = sale;
        read_journal(database, shelf);
        read_orders(database, shelf);
        read_holdings(database, shelf);
        read_money(database, shelf);
        read_deeds(database, shelf);
        return shelf;
    });
}

const Shelf::Row* Shelf::find(const TicketId& ticket) const {
    const auto at =
        std::ranges::find(journal, ticket, [](const Row& row) { return row.record.id; });
    return at == journal.end() ? nullptr : &*at;
}

std::int64_t Shelf::units_of(SaleId sale, UserId buyer) const {
    const auto at = holdings.find({sale, buyer});
    return at == holdings.end() ? 0 : at->second;
}

std::size_t Shelf::given_up(SaleId sale, UserId buyer) const {
    return static_cast<std::size_t>(std::ranges::count_if(journal, [&](const Row& row) {
        return row.buyer == buyer && row.record.id.sale == sale && was_given_up(row.record);
    }));
}

}  // namespace sluice::simulation
