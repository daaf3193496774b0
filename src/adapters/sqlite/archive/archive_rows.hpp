#pragma once

#include <string_view>
#include <vector>

#include "adapters/sql/archived_tables.hpp"
#include "adapters/sqlite/engine/connection.hpp"

namespace sluice::sqlite {

// The rows of one sale that move between ledger and archive: orders, journal, holdings, payments,
// charges, refunds and payment events. Both files have the same schema. All of these functions read
// and write the tables themselves, without the views that hide stale copies from readers.

using sql::Footprint;
using sql::RowsDigest;

RowsDigest digest_of(Database& database, SaleId sale);
RowsDigest digest_of(Database& database, SaleId sale, UserId buyer);

std::int64_t count_rows(Database& database, SaleId sale);

/// Copied rows are not events: while this exists no trigger reports or refuses them. To be held for
/// the database that the functions below write to. Not one for each row: SQLite prepares all
/// statements of the connection anew when it begins and when it ends.
class WithoutTriggers {
  public:
    explicit WithoutTriggers(Database& database) : database_(database) { set(0); }
    ~WithoutTriggers() { set(1); }
    WithoutTriggers(const WithoutTriggers&) = delete;
    WithoutTriggers& operator=(const WithoutTriggers&) = delete;

  private:
    void set(int on);

    Database& database_;
};

/// Replaces the rows that are there by these, and returns how many they are. The caller has a
/// transaction.
std::int64_t copy_sale(Database& from, Database& to, SaleId sale);

/// The rows of one buyer in the sale. They move together, so that a file that has some of the
/// buyers keeps every promise about each of them.
void copy_buyer(Database& from, Database& to, SaleId sale, UserId buyer);
void remove_buyer(Database& database, SaleId sale, UserId buyer);

/// Orders to which no ticket leads, and what belongs to them.
void remove_remains(Database& database, SaleId sale);

/// All buyers with rows in the sale.
std::vector<UserId> list_buyers(Database& database, SaleId sale);

Footprint footprint_of(Database& database, SaleId sale);

/// Copies what `query` finds into the table.
std::int64_t copy_rows(Database& from, Database& to, std::string_view query, std::string_view table,
                       SaleId sale);

}  // namespace sluice::sqlite
