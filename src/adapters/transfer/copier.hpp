#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "adapters/mariadb/engine/connection.hpp"
#include "adapters/sql/database.hpp"
#include "adapters/sqlite/engine/connection.hpp"
#include "adapters/transfer/tables.hpp"

namespace sluice::transfer {

/// Why nothing was moved, or why a move that was begun could not be finished.
class TransferError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A ledger that rows are read from or written to.
struct Side {
    sql::Database& database;
    /// A statement whose values are part of its text.
    std::function<sql::Prepared&(std::string_view sql)> prepare;
    std::string_view arrival;  // its column for the order of payment events: see kArrival
    std::string_view prefix;   // before the name of each table
};
Side sqlite_side(sqlite::Database& database);
Side mariadb_side(mariadb::Connection& database);
/// For archive_tables(). On SQLite the archive is a file with the tables of a ledger.
Side mariadb_archive_side(mariadb::Connection& database);

/// Called after each chunk: how many rows are copied, of how many.
using Progress = std::function<void(std::int64_t done, std::int64_t all)>;

std::int64_t count_rows(const Side& side, const std::vector<Table>& of = tables());

/// Copies the rows of these tables that `to` lacks, in chunks, each in a transaction of its own.
/// The rows in a table of `to` must be the first rows of the same table of `from`, as left by a
/// copy that was interrupted: then this continues after them. Nobody else may write to either side:
/// the caller has a snapshot of `from` or has it alone, and makes sure that no trigger of `to`
/// treats the rows as events. Throws TransferError.
void copy_rows(const Side& from, const Side& to, const Progress& progress,
               const std::vector<Table>& of = tables());

/// A digest over every value of every row of these tables, in a fixed order, so that no two ledgers
/// with different rows have the same digest.
using LedgerDigest = std::array<unsigned char, 32>;
LedgerDigest digest_of(const Side& side, const std::vector<Table>& of = tables());

}  // namespace sluice::transfer
