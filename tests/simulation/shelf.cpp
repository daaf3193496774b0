#include "simulation/shelf.hpp"

#include <algorithm>

#include "adapters/sqlite/ledgers/catalog.hpp"
#include "adapters/sqlite/ledgers/journal.hpp"
#include "adapters/sqlite/ledgers/orders.hpp"
#include "base/check.hpp"

namespace sluice::simulation {
namespace {

using sqlite::Database;

Reason parse_reason(const std::string& text) {
    for (const auto reason : {Reason::not_found, Reason::ended, Reason::paused, Reason::not_started,
                              Reason::sold_out, Reason::limit_reached, Reason::busy})
        if (sqlite::journal_text(reason) == text) return reason;
    CHECK(false, "the schema allows only known reasons");
}

void read_journal(Database& database, Shelf& shelf) {
    auto rows = database.query(
        "SELECT sale_id, mark, state, quantity, order_id, reason, pass, key, claimed_at, buyer_id, "
        "same_as FROM journal");
    while (rows.step()) {
        TicketRecord record{.id = {rows.column<SaleId>(0), rows.column<Mark>(1)},
                            .state = static_cast<TicketState>(rows.column<std::int64_t>(2)),
                            .quantity = rows.column<std::int64_t>(3),
                            .order = rows.column<std::optional<OrderId>>(4),
                            .reason = std::nullopt,
                            .same_as = std::nullopt,
                            .pass = rows.column<Mark>(6),
                            .key = rows.column<std::optional<Mark>>(7),
                            .claimed_at = rows.column<Timestamp>(8)};
        if (const auto reason = rows.column<std::optional<std::string>>(5))
            record.reason = parse_reason(*reason);
        if (const auto mark = rows.column<std::optional<Mark>>(10))
            record.same_as = TicketId{record.id.sale, *mark};
        shelf.journal.push_back({std::move(record), rows.column<UserId>(9)});
    }
}

void read_orders(Database& database, Shelf& shelf) {
    std::vector<OrderId> ids;
    {
        auto rows = database.query("SELECT id FROM orders");
        while (rows.step()) ids.push_back(rows.column<OrderId>(0));
    }
    for (const auto id : ids)
        shelf.orders.emplace(id, sqlite::find_order(database, id, std::nullopt).value());
}

void read_holdings(Database& database, Shelf& shelf) {
    auto rows = database.query("SELECT sale_id, buyer_id, units FROM holdings");
    while (rows.step())
        shelf.holdings[{rows.column<SaleId>(0), rows.column<UserId>(1)}] =
            rows.column<std::int64_t>(2);
}

void read_money(Database& database, Shelf& shelf) {
    auto rows = database.query(
        "SELECT charges.order_id, provider_ref, captures, charge_id IS NOT NULL FROM charges "
        "LEFT JOIN refunds ON charge_id = id");
    while (rows.step())
        shelf.money.push_back({rows.column<OrderId>(0), rows.column<std::string>(1),
                               rows.column<bool>(2), rows.column<bool>(3)});
}

void read_deeds(Database& database, Shelf& shelf) {
    auto rows = database.query("SELECT id, action, request_id FROM audit_trail");
    while (rows.step())
        shelf.deeds[rows.column<DeedId>(0)] = {rows.column<std::string>(1),
                                               rows.column<std::string>(2)};
}

}  // namespace

Shelf Shelf::read(Store& store) {
    return store.read([](Database& database) {
        Shelf shelf;
        for (auto& sale : sqlite::load_contents(database).sales) shelf.sales[sale.id] = sale;
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
