#include "adapters/sqlite/archive/archive_rows.hpp"

#include <array>
#include <cstddef>
#include <string>

#include <sodium.h>
#include <sqlite3.h>

#include "adapters/sql/archived_tables.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sqlite/engine/statements.hpp"

namespace sluice::sqlite {
namespace {

using sql::kArchivedRemoval;
using sql::kArchivedTables;

/// Selects the rows of each of kArchivedTables: $orders is a query for the ids of the orders, and
/// $buyer restricts it to the buyer, if there is one.
constexpr std::array<std::string_view, kArchivedTables.size()> kRows{
    "id IN ($orders)",
    "sale_id = ?1$buyer",
    "sale_id = ?1$buyer",
    "order_id IN ($orders)",
    "payment_id IN (SELECT id FROM main.payments WHERE order_id IN ($orders))",
    "charge_id IN (SELECT id FROM main.charges WHERE payment_id IN "
    "(SELECT id FROM main.payments WHERE order_id IN ($orders)))",
    "payment_id IN (SELECT id FROM main.payments WHERE order_id IN ($orders))",
};

struct Scope {
    std::string_view orders;
    std::string_view buyer;
};

struct Queries {
    std::string all, facts, count, removal;
};
using AllQueries = std::array<Queries, kArchivedTables.size()>;

std::string replaced(std::string text, std::string_view word, std::string_view by) {
    const auto at = text.find(word);
    return at == text.npos ? text : text.replace(at, word.size(), by);
}

AllQueries make_queries(const Scope& scope) {
    AllQueries made;
    for (std::size_t i = 0; i < kArchivedTables.size(); ++i) {
        const auto& table = kArchivedTables[i];
        const auto rows = " FROM main." + std::string(table.name) + " WHERE " +
                          replaced(replaced(std::string(kRows[i]), "$orders", scope.orders),
                                   "$buyer", scope.buyer);
        const auto in_order =
            rows + " ORDER BY " + replaced(std::string(table.order), "arrival", "rowid");
        made[i] = {.all = "SELECT *" + in_order,
                   .facts = "SELECT " + std::string(table.facts) + in_order,
                   .count = "SELECT count(*)" + rows,
                   .removal = "DELETE" + rows};
    }
    return made;
}

const AllQueries& of_sale() {
    static const auto queries =
        make_queries({.orders = "SELECT id FROM main.orders WHERE sale_id = ?1", .buyer = ""});
    return queries;
}

const AllQueries& of_buyer() {
    static const auto queries = make_queries(
        {.orders = "SELECT order_id FROM main.journal WHERE sale_id = ?1 AND buyer_id = ?2",
         .buyer = " AND buyer_id = ?2"});
    return queries;
}

static_assert(SQLITE_INTEGER == static_cast<int>(sql::HashedType::number) &&
              SQLITE_TEXT == static_cast<int>(sql::HashedType::text) &&
              SQLITE_BLOB == static_cast<int>(sql::HashedType::blob) &&
              SQLITE_NULL == static_cast<int>(sql::HashedType::null));

void hash_value(crypto_generichash_state& state, sqlite3_stmt& row, int column) {
    const auto type = static_cast<unsigned char>(sqlite3_column_type(&row, column));
    crypto_generichash_update(&state, &type, 1);
    if (type == SQLITE_INTEGER) {
        const sqlite3_int64 number = sqlite3_column_int64(&row, column);
        crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(&number),
                                  sizeof number);
    } else if (type != SQLITE_NULL) {
        const auto* data = static_cast<const unsigned char*>(sqlite3_column_blob(&row, column));
        const auto size = static_cast<std::uint64_t>(sqlite3_column_bytes(&row, column));
        crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(&size),
                                  sizeof size);
        crypto_generichash_update(&state, data, size);
    }
}

/// Each value carries its type and length.
template <class... Of>
RowsDigest hash_rows(Database& database, const AllQueries& queries, const Of&... of) {
    crypto_generichash_state state;
    crypto_generichash_init(&state, nullptr, 0, sizeof(RowsDigest));
    for (const auto& query : queries) {
        auto& prepared = database.prepared(query.facts);
        sql::Statement rows(prepared, of...);
        while (rows.step())
            for (int i = 0; i < prepared.columns(); ++i) hash_value(state, prepared.handle(), i);
    }
    RowsDigest digest;
    crypto_generichash_final(&state, digest.data(), digest.size());
    return digest;
}

/// Inserts the result of `query` into the table.
template <class... Of>
std::int64_t put_rows(Database& from, Database& to, std::string_view query, std::string_view table,
                      const Of&... of) {
    auto& source = from.prepared(query);
    sql::Statement rows(source, of...);
    std::string insert = "INSERT OR REPLACE INTO main." + std::string(table) + " VALUES (?";
    for (int i = 1; i < source.columns(); ++i) insert += ", ?";
    auto& target = to.prepared(insert + ")");
    std::int64_t count = 0;
    for (; rows.step(); ++count) {
        target.bind_row(source);
        target.finish();
    }
    return count;
}

template <class... Of>
std::int64_t copy_all(Database& from, Database& to, const AllQueries& queries, const Of&... of) {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < kArchivedTables.size(); ++i)
        count += put_rows(from, to, queries[i].all, kArchivedTables[i].name, of...);
    return count;
}

}  // namespace

void WithoutTriggers::set(int on) {
    sqlite3_db_config(database_.handle(), SQLITE_DBCONFIG_ENABLE_TRIGGER, on, nullptr);
}

RowsDigest digest_of(Database& database, SaleId sale) {
    return hash_rows(database, of_sale(), sale);
}

RowsDigest digest_of(Database& database, SaleId sale, UserId buyer) {
    return hash_rows(database, of_buyer(), sale, buyer);
}

std::int64_t count_rows(Database& database, SaleId sale) {
    std::int64_t count = 0;
    for (const auto& query : of_sale()) count += database.value<std::int64_t>(query.count, sale);
    return count;
}

std::int64_t copy_sale(Database& from, Database& to, SaleId sale) {
    for (const auto i : kArchivedRemoval) to.run(of_sale()[i].removal, sale);
    return copy_all(from, to, of_sale(), sale);
}

void copy_buyer(Database& from, Database& to, SaleId sale, UserId buyer) {
    copy_all(from, to, of_buyer(), sale, buyer);
}

void remove_buyer(Database& database, SaleId sale, UserId buyer) {
    for (const auto i : kArchivedRemoval) database.run(of_buyer()[i].removal, sale, buyer);
}

void remove_remains(Database& database, SaleId sale) {
    for (const auto i : kArchivedRemoval)
        if (kArchivedTables[i].name != "journal" && kArchivedTables[i].name != "holdings")
            database.run(of_sale()[i].removal, sale);
}

std::vector<UserId> list_buyers(Database& database, SaleId sale) {
    return database.rows<UserId>(statements::buyers_of_sale, sale).to_vector();
}

Footprint footprint_of(Database& database, SaleId sale) {
    return database.value<Footprint>(statements::footprint_of_sale, sale);
}

std::int64_t copy_rows(Database& from, Database& to, std::string_view query, std::string_view table,
                       SaleId sale) {
    return put_rows(from, to, query, table, sale);
}

}  // namespace sluice::sqlite
