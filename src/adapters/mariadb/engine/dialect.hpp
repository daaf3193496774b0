#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sluice::mariadb {

/// A statement of ours, translated for MariaDB.
struct Translated {
    std::string text;             // with ? for each value
    std::vector<int> parameters;  // which of ?1, ?2 and so on each ? stands for
    int values = 0;               // the highest of them
    /// A row that exists already is no error: the statement then changes nothing. INSERT IGNORE
    /// would also ignore a violated CHECK, so the engine looks at the error's code.
    bool where_absent = false;
};

/// Our statements number their values (?1, ?2, and again ?1). If an existing row is to stay, those
/// of the ledgers end in ON CONFLICT DO NOTHING, and those in src/adapters/mariadb/statements/
/// contain the comment "absent". Text in quotes or comments is not a value.
Translated translate(std::string_view sql);

/// What is sent for a statement of the ledgers: its own text, or its replacement in
/// src/adapters/mariadb/statements/. In a transaction that writes, some statements lock what they
/// read.
std::string_view dialect_of(std::string_view sql, bool writes);

/// Which rows of the archive's tables count.
enum class ArchivedRows {
    valid,  // those of archived sales, for readers
    all,    // including copies that do not count, for moving rows
};

/// The same statement over the archive's tables, which take the names of the ledger's own. Tables
/// that the archive does not have, such as webhooks, are empty for readers.
std::string over_archive(std::string_view sql, ArchivedRows rows);

/// The statements of a migration, in the form that schema/mariadb/0001_house.sql describes: one
/// ends with a semicolon at the end of a line, followed by an empty line or the end of the file.
std::vector<std::string> split_script(std::string_view script);

}  // namespace sluice::mariadb
