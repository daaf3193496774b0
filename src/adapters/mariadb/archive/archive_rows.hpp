#pragma once

#include <span>
#include <vector>

#include "adapters/mariadb/engine/connection.hpp"
#include "adapters/sql/archived_tables.hpp"
#include "domain/ids.hpp"

namespace sluice::mariadb {

using sql::Footprint;
using sql::RowsDigest;

/// Which tables are meant: the ledger's own, or those of the archive with the same columns.
enum class Place { ledger, archive };

// The rows of one sale that move between both: see sql::kArchivedTables. All of these functions
// read and write the tables themselves, including copies that do not count.

RowsDigest digest_of(Connection& connection, Place place, SaleId sale);
RowsDigest digest_of(Connection& connection, Place place, SaleId sale, UserId buyer);

std::int64_t count_rows(Connection& connection, Place place, SaleId sale);

Footprint footprint_of(Connection& connection, Place place, SaleId sale);

/// All buyers with rows in the sale.
std::vector<UserId> list_buyers(Connection& connection, Place place, SaleId sale);
bool has_rows_of_buyer(Connection& connection, Place place, SaleId sale, UserId buyer);

/// While rows are copied or removed: triggers do not treat them as events, and let money leave the
/// ledger for the archive. No deed may be added meanwhile: it would get no link in its chain.
class MovingRows {
  public:
    explicit MovingRows(Connection& connection);
    ~MovingRows();
    MovingRows(const MovingRows&) = delete;
    MovingRows& operator=(const MovingRows&) = delete;

  private:
    Connection& connection_;
};

// The calls below need a transaction and MovingRows.

/// The rows of one buyer in the sale, if there are none at the other place. They move together, so
/// that a place that has some of the buyers keeps every promise about each of them. Payment events
/// go to the archive with copy_events(), which keeps their order.
void archive_buyer(Connection& connection, SaleId sale, UserId buyer);
void return_buyer(Connection& connection, SaleId sale, UserId buyer);
void remove_buyer(Connection& connection, Place place, SaleId sale, UserId buyer);

/// The numbers of the ledger's payment events of the sale, in the order in which they came.
std::vector<std::int64_t> list_arrivals(Connection& connection, SaleId sale);
/// Copies the events from the first of these numbers to the last into the archive.
void archive_events(Connection& connection, SaleId sale, std::span<const std::int64_t> arrivals);

/// Orders to which no ticket leads, and what belongs to them: copies what the other place lacks.
void copy_remains(Connection& connection, Place from, SaleId sale);
void remove_remains(Connection& connection, Place place, SaleId sale);

}  // namespace sluice::mariadb
