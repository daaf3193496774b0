#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sluice::mariadb {

/// A statement of ours, as MariaDB takes it.
struct Translated {
    std::string text;             // with ? for each value
    std::vector<int> parameters;  // which of ?1, ?2 and so on each ? stands for
    int values = 0;               // the highest of them
    /// A row that is there already is no error: the statement then touches nothing. INSERT IGNORE
    /// would also pass over a violated CHECK, so the engine does it by the error's code.
    bool where_absent = false;
};

/// Our statements count their values (?1, ?2, and again ?1). Where a row that is there is to stand,
/// those of the ledgers end in ON CONFLICT DO NOTHING, and those in
/// src/adapters/mariadb/statements/ have the comment "absent". What stands in quotes or comments is
/// no value.
Translated translate(std::string_view sql);

/// What is sent for a statement of the ledgers: its own text, or the one that stands for it in
/// src/adapters/mariadb/statements/. In a transaction that writes, some lock what they read.
std::string_view dialect_of(std::string_view sql, bool writes);

/// Which rows of the archive's tables count.
enum class ArchivedRows {
    valid,  // those of sales that are archived, for whoever reads
    all,    // also copies that do not count, for whoever moves rows
};

/// The same statement over the archive's tables, each under the name of the ledger's own. What the
/// archive has no rows of, such as webhooks, is empty for readers.
std::string over_archive(std::string_view sql, ArchivedRows rows);

/// The statements of a migration, as schema/mariadb/0001_house.sql says that they are written: one
/// ends with a semicolon at the end of a line, and an empty line or the end of the file follows.
std::vector<std::string> split_script(std::string_view script);

}  // namespace sluice::mariadb
