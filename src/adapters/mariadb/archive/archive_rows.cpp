#include "adapters/mariadb/archive/archive_rows.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <sodium.h>

#include "adapters/mariadb/engine/own_statements.hpp"
#include "adapters/sql/rows.hpp"

namespace sluice::mariadb {
namespace {

using sql::HashedType;
using sql::kArchivedRemoval;
using sql::kArchivedTables;
using sql::Statement;

constexpr std::size_t kTables = kArchivedTables.size();
constexpr std::size_t kPaymentEvents = 6;  // its place among them

/// How the rows of each table are found: joined to the orders, whose ids are $order. Empty for
/// tables whose rows name their sale and buyer. With the tables in this order each join has an
/// index.
constexpr std::array<std::string_view, kTables> kJoins{
    " STRAIGHT_JOIN orders ON orders.id = $order",
    "",
    "",
    " STRAIGHT_JOIN payments ON payments.order_id = $order",
    " STRAIGHT_JOIN payments ON payments.order_id = $order"
    " STRAIGHT_JOIN charges ON charges.payment_id = payments.id",
    " STRAIGHT_JOIN payments ON payments.order_id = $order"
    " STRAIGHT_JOIN charges ON charges.payment_id = payments.id"
    " STRAIGHT_JOIN refunds ON refunds.charge_id = charges.id",
    " STRAIGHT_JOIN payments ON payments.order_id = $order"
    " STRAIGHT_JOIN payment_events ON payment_events.payment_id = payments.id",
};

/// The condition by which `there`, a row of the same table at the other place, is the same row.
constexpr std::array<std::string_view, kTables> kSameRow{
    "there.id = orders.id",
    "",
    "",
    "there.id = payments.id",
    "there.id = charges.id",
    "there.charge_id = refunds.charge_id",
    "there.provider = payment_events.provider AND there.event_id = payment_events.event_id",
};

struct Source {
    std::string tables;  // FROM …
    std::string where;   // WHERE …
};

std::string with_order(std::string_view joins, std::string_view order) {
    std::string text(joins);
    if (const auto at = text.find("$order"); at != text.npos)
        text.replace(at, std::string_view("$order").size(), order);
    return text;
}

Source rows_of_sale(std::size_t table) {
    const std::string name(kArchivedTables[table].name);
    if (table == 0 || kJoins[table].empty())
        return {" FROM " + name, " WHERE " + name + ".sale_id = ?1"};
    return {" FROM orders" + with_order(kJoins[table], "orders.id"), " WHERE orders.sale_id = ?1"};
}

/// By way of the buyer's tickets.
Source rows_of_buyer(std::size_t table) {
    const std::string name(kArchivedTables[table].name);
    if (kJoins[table].empty())
        return {" FROM " + name, " WHERE " + name + ".sale_id = ?1 AND " + name + ".buyer_id = ?2"};
    return {" FROM journal" + with_order(kJoins[table], "journal.order_id"),
            " WHERE journal.sale_id = ?1 AND journal.buyer_id = ?2"};
}

/// Each column with the table's name before it, because several tables have an id.
std::string qualified(std::string_view columns, std::string_view table) {
    std::string text;
    while (!columns.empty()) {
        const auto comma = std::min(columns.find(", "), columns.size());
        text.append(text.empty() ? "" : ", ").append(table).append(".\"");
        text.append(columns.substr(0, comma)).append("\"");
        columns.remove_prefix(std::min(comma + 2, columns.size()));
    }
    return text;
}

/// All are for the ledger's tables; over_archive() makes those for the archive's tables.
struct Texts {
    std::string facts, count, all, removal;
};
using AllTexts = std::array<Texts, kTables>;

AllTexts make_texts(Source (*source_of)(std::size_t)) {
    AllTexts made;
    for (std::size_t i = 0; i < kTables; ++i) {
        const auto& table = kArchivedTables[i];
        const std::string name(table.name);
        const auto source = source_of(i);
        const auto rows = source.tables + source.where;
        const auto in_order = " ORDER BY " + qualified(table.order, name);
        made[i] = {.facts = "SELECT " + qualified(table.facts, name) + rows + in_order,
                   .count = "SELECT count(*)" + rows,
                   .all = "SELECT " + name + ".*" + rows + in_order,
                   .removal = "DELETE " + name + rows};
    }
    return made;
}

const AllTexts& of_sale() {
    static const auto texts = make_texts(rows_of_sale);
    return texts;
}

const AllTexts& of_buyer() {
    static const auto texts = make_texts(rows_of_buyer);
    return texts;
}

PreparedStatement& at(Connection& connection, Place place, std::string_view sql) {
    return place == Place::ledger ? connection.statement(sql)
                                  : connection.archived_statement(sql, ArchivedRows::all);
}

template <class... Of>
void run_at(Connection& connection, Place place, std::string_view sql, const Of&... of) {
    Statement(at(connection, place, sql), of...).finish();
}

/// Copies the result of `select` at `from` into the same table at the other place.
std::string copy_text(Place from, std::size_t table, std::string_view select) {
    const std::string name(kArchivedTables[table].name);
    if (from == Place::ledger) return "INSERT INTO archived_" + name + " " + std::string(select);
    return "INSERT INTO " + name + " " + over_archive(select, ArchivedRows::all);
}

void hash_bytes(crypto_generichash_state& state, const void* data, std::size_t size) {
    crypto_generichash_update(&state, static_cast<const unsigned char*>(data), size);
}

void hash_type(crypto_generichash_state& state, HashedType type) {
    hash_bytes(state, &type, 1);
}

void hash_text(crypto_generichash_state& state, const void* data, std::uint64_t size) {
    hash_bytes(state, &size, sizeof size);
    hash_bytes(state, data, size);
}

void hash_value(crypto_generichash_state& state, const PreparedStatement& row, int column) {
    switch (row.type(column)) {
        case PreparedStatement::Type::null:
            return hash_type(state, HashedType::null);
        case PreparedStatement::Type::number: {
            const std::int64_t number = row.number(column);
            hash_type(state, HashedType::number);
            return hash_bytes(state, &number, sizeof number);
        }
        case PreparedStatement::Type::text: {
            const auto text = row.text(column);
            hash_type(state, HashedType::text);
            return hash_text(state, text.data(), text.size());
        }
        case PreparedStatement::Type::bytes: {
            const auto bytes = row.bytes(column);
            hash_type(state, HashedType::blob);
            return hash_text(state, bytes.data(), bytes.size());
        }
    }
}

template <class... Of>
RowsDigest hash_rows(Connection& connection, Place place, const AllTexts& texts, const Of&... of) {
    crypto_generichash_state state;
    crypto_generichash_init(&state, nullptr, 0, sizeof(RowsDigest));
    for (const auto& text : texts) {
        auto& prepared = at(connection, place, text.facts);
        Statement rows(prepared, of...);
        while (rows.step())
            for (int i = 0; i < prepared.columns(); ++i) hash_value(state, prepared, i);
    }
    RowsDigest digest;
    crypto_generichash_final(&state, digest.data(), digest.size());
    return digest;
}

}  // namespace

RowsDigest digest_of(Connection& connection, Place place, SaleId sale) {
    return hash_rows(connection, place, of_sale(), sale);
}

RowsDigest digest_of(Connection& connection, Place place, SaleId sale, UserId buyer) {
    return hash_rows(connection, place, of_buyer(), sale, buyer);
}

std::int64_t count_rows(Connection& connection, Place place, SaleId sale) {
    std::int64_t count = 0;
    for (const auto& text : of_sale())
        count += sql::Rows<std::int64_t>(at(connection, place, text.count), sale).to_vector().at(0);
    return count;
}

Footprint footprint_of(Connection& connection, Place place, SaleId sale) {
    return sql::Rows<Footprint>(at(connection, place, own::footprint_of_sale), sale)
        .to_vector()
        .at(0);
}

std::vector<UserId> list_buyers(Connection& connection, Place place, SaleId sale) {
    auto buyers = sql::Rows<UserId>(at(connection, place, own::buyers_of_sale), sale).to_vector();
    std::ranges::sort(buyers);  // a run that continues begins with the same ones
    return buyers;
}

bool has_rows_of_buyer(Connection& connection, Place place, SaleId sale, UserId buyer) {
    return Statement(at(connection, place, own::has_rows_of_buyer), sale, buyer).step();
}

MovingRows::MovingRows(Connection& connection) : connection_(connection) {
    connection_.run_script("SET @sluice_copies = 1, @sluice_archives = 1");
}

MovingRows::~MovingRows() {
    try {
        connection_.run_script("SET @sluice_copies = NULL, @sluice_archives = NULL");
    } catch (const Error&) {
        // They end with the connection, which is lost.
        connection_.disconnect();
    }
}

// Each statement sees what is committed when it begins. Children are copied before their parents:
// then a commit in between may leave a parent without its child, which is noticed and discarded,
// and never a child without its parent.

void archive_buyer(Connection& connection, SaleId sale, UserId buyer) {
    for (const auto i : kArchivedRemoval)
        if (i != kPaymentEvents)
            connection.run(copy_text(Place::ledger, i, of_buyer()[i].all), sale, buyer);
}

void return_buyer(Connection& connection, SaleId sale, UserId buyer) {
    for (std::size_t i = 0; i < kTables; ++i)
        connection.run(copy_text(Place::archive, i, of_buyer()[i].all), sale, buyer);
}

void remove_buyer(Connection& connection, Place place, SaleId sale, UserId buyer) {
    for (const auto i : kArchivedRemoval)
        run_at(connection, place, of_buyer()[i].removal, sale, buyer);
}

std::vector<std::int64_t> list_arrivals(Connection& connection, SaleId sale) {
    const auto source = rows_of_sale(kPaymentEvents);
    return connection
        .rows<std::int64_t>("SELECT payment_events.arrival" + source.tables + source.where +
                                " ORDER BY payment_events.arrival",
                            sale)
        .to_vector();
}

void archive_events(Connection& connection, SaleId sale, std::span<const std::int64_t> arrivals) {
    if (arrivals.empty()) return;
    const auto source = rows_of_sale(kPaymentEvents);
    connection.run("INSERT INTO archived_payment_events SELECT payment_events.*" + source.tables +
                       source.where +
                       " AND payment_events.arrival BETWEEN ?2 AND ?3"
                       " ORDER BY payment_events.arrival",
                   sale, arrivals.front(), arrivals.back());
}

void copy_remains(Connection& connection, Place from, SaleId sale) {
    const bool from_ledger = from == Place::ledger;
    for (std::size_t step = 0; step < kTables; ++step) {
        const auto i = from_ledger ? kArchivedRemoval[step] : step;
        if (kSameRow[i].empty()) continue;
        const std::string name(kArchivedTables[i].name);
        const auto source = rows_of_sale(i);
        const auto found = "SELECT " + name + ".*" + source.tables;
        const auto lacking = " LEFT JOIN " + (from_ledger ? "archived_" + name : name) +
                             " AS there ON " + std::string(kSameRow[i]) + source.where + " AND " +
                             (name == "refunds"          ? "there.charge_id"
                              : name == "payment_events" ? "there.event_id"
                                                         : "there.id") +
                             " IS NULL ORDER BY " + qualified(kArchivedTables[i].order, name);
        connection.run(copy_text(from, i, found) + lacking, sale);
    }
}

void remove_remains(Connection& connection, Place place, SaleId sale) {
    for (const auto i : kArchivedRemoval)
        if (!kJoins[i].empty()) run_at(connection, place, of_sale()[i].removal, sale);
}

}  // namespace sluice::mariadb
