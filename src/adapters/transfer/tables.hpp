#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::transfer {

enum class Type { number, text, blob };

struct Column {
    std::string name;
    Type type;

    friend bool operator==(const Column&, const Column&) = default;
};

/// A table whose rows are copied, as both schemas have it.
struct Table {
    std::string name;
    std::vector<Column> columns;     // all of them, in the order of the schemas
    std::vector<std::size_t> keys;   // places in `columns`: rows are copied in this order
    std::size_t rows_at_once = 500;  // in memory
};

/// Every table of a ledger, parents before those that refer to them. A test compares them with both
/// schemas, so that a new table or column cannot be forgotten here.
const std::vector<Table>& tables();

/// Those whose rows move into the archive with a sale. MariaDB has each a second time for the
/// archive.
const std::vector<Table>& archive_tables();

/// Tables that only one engine has, or that belong to a database and not to the shop in it.
std::span<const std::string_view> tables_left_out();

/// The order in which payment events came is a column in MariaDB and the rowid in SQLite. It is
/// copied too, under this name.
inline constexpr std::string_view kArrival = "arrival";

}  // namespace sluice::transfer
